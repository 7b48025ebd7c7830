import type { Command } from 'commander';
import { execa } from 'execa';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import type { RootFacts } from '../../../../bridge/protocol/index.ts';
import { openProgress } from '../../../lib/index.ts';
import {
  type CheckpointProblem,
  type CheckpointSupport,
  checkRequirements,
  createDockerNode,
  describeAgentRoot,
  fetchRootImage,
  type Node,
  readWatchLimits,
  type RootImage,
  type WatchLimits,
} from '../../../node/index.ts';
import { interruptSignal, nodeChoice, openNode, withReadyNode } from '../context.ts';
import { type DoctorFinding, listImageFindings, listImageSettings } from '../image-findings.ts';
import { print } from '../output.ts';
import { formatTable } from '../tables.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('report what this machine has and lacks: programs, node, Docker, live checkpoints')
    .option(
      '--image <image>',
      'report what this image of your own has, and which tools will lack something in it',
    )
    .option('--json', 'print as JSON')
    .action(runDoctor);
}

interface DoctorOptions {
  readonly json?: boolean;
  readonly image?: string;
}

async function runDoctor({ json = false, image }: DoctorOptions): Promise<void> {
  const signal = interruptSignal();
  const report = image === undefined ? null : await diagnoseImage(image, signal);
  const findings = report?.findings ?? (await diagnose(signal));
  print(report ?? findings, json, () =>
    formatTable([
      ['', 'WHAT', 'FOUND', report ? 'WHAT IT MEANS' : 'WHAT TO DO'],
      ...findings.map(findingRow),
    ]),
  );
  if (findings.some(({ state }) => state === 'missing')) process.exitCode = 2;
}

function findingRow({ state, what, detail, help }: DoctorFinding): string[] {
  return [state, what, detail, state === 'ok' ? '' : help];
}

/** What `pwp doctor --image` prints. */
interface ImageReport extends RootImage {
  /** Null if nothing can be found out. */
  readonly facts: RootFacts | null;
  readonly findings: readonly DoctorFinding[];
}

/** Fetches an image if it is not there, and looks at it in a sandbox. Errors: those of `fetchRootImage`. */
async function diagnoseImage(reference: string, signal: AbortSignal): Promise<ImageReport> {
  return withReadyNode(async ({ node }) => {
    const progress = openProgress();
    const image = await fetchRootImage(reference, { progress, signal }).finally(() => progress.done());
    try {
      const facts = await describeAgentRoot(node, reference, { signal });
      return { ...image, facts, findings: listImageFindings(image, facts) };
    } catch (error) {
      signal.throwIfAborted();
      return { ...image, facts: null, findings: [...listImageSettings(image), unusable(error)] };
    }
  });
}

function unusable(error: unknown): DoctorFinding {
  return { state: 'missing', what: 'sandbox', detail: describeError(error), help: readHelp(error) };
}

/** The age up to which problems are shown, in milliseconds, and their maximum number. */
const recentMs = 7 * 24 * 60 * 60 * 1000;
const shownProblems = 5;

/** Checks everything that this project needs and can use on this machine. Changes nothing. */
async function diagnose(signal: AbortSignal): Promise<DoctorFinding[]> {
  return [
    ...(await findRequirements()),
    ...(await findRuncVersion()),
    ...watchFindings(await readWatchLimits()),
    await findDocker(),
    ...(await findUsableNode(signal)),
  ];
}

async function findRequirements(): Promise<DoctorFinding[]> {
  return (await checkRequirements()).map(({ name: what, found, optional, detail, help }) => {
    const state = found ? 'ok' : optional ? 'without' : 'missing';
    return { state, what, detail, help };
  });
}

/** Empty without runc, which is already reported. */
async function findRuncVersion(): Promise<DoctorFinding[]> {
  const { stdout, exitCode } = await execa('runc', ['--version'], { reject: false });
  if (exitCode !== 0) return [];
  return [{ state: 'ok', what: 'runc version', detail: stdout.split('\n', 1)[0] ?? '', help: '' }];
}

/** Empty if the kernel does not say. */
export function watchFindings(limits: WatchLimits | null): DoctorFinding[] {
  if (!limits) return [];
  const { instances, watches, cure } = limits;
  const detail = `${instances} inotify instances and ${watches} watches for all sandboxes together`;
  const help = cure === null ? '' : `Raise them, for more than a few IDEs at once: ${cure}`;
  return [{ state: cure === null ? 'ok' : 'without', what: 'file watchers', detail, help }];
}

async function findDocker(): Promise<DoctorFinding> {
  try {
    await (await createDockerNode())[Symbol.asyncDispose]();
    return { state: 'ok', what: 'Docker', detail: 'the engine answers: --node docker can be used', help: '' };
  } catch (error) {
    return { state: 'without', what: 'Docker', detail: describeError(error), help: readHelp(error) };
  }
}

/** The node that would be used, and what it can do. */
async function findUsableNode(signal: AbortSignal): Promise<DoctorFinding[]> {
  const { kind, reason } = nodeChoice();
  try {
    await using chosen = await openNode(signal);
    const usable: DoctorFinding = {
      state: 'ok',
      what: 'node',
      detail: `${kind}, since ${reason}`,
      help: '',
    };
    return [usable, ...(await findCheckpointSupport(chosen, signal))];
  } catch (error) {
    return [
      { state: 'missing', what: 'node', detail: `${kind}: ${describeError(error)}`, help: readHelp(error) },
    ];
  }
}

async function findCheckpointSupport(chosen: Node, signal: AbortSignal): Promise<DoctorFinding[]> {
  try {
    const support = supportFindings(await chosen.checkpointSupport({ signal }));
    return [...support, ...problemFindings(await chosen.checkpointProblems(), Date.now())];
  } catch (error) {
    return [{ state: 'without', what: 'checkpoints', detail: describeError(error), help: readHelp(error) }];
  }
}

function supportFindings({ kind, criu, notes }: CheckpointSupport): DoctorFinding[] {
  const live = kind === 'live';
  const state = live ? 'ok' : 'without';
  const does = live
    ? 'live: running programs and unsaved text are kept'
    : 'disk: only files are kept, programs start again';
  return [
    {
      state: criu ? 'ok' : 'without',
      what: 'CRIU',
      detail: criu ? `${criu.version}, ${criu.path}` : 'none that works here',
      help: 'See the notes on checkpoints below.',
    },
    { state, what: 'checkpoints', detail: does, help: live ? '' : 'See docs/checkpoints.md.' },
    ...notes.map((note): DoctorFinding => ({ state, what: '  note', detail: note, help: '' })),
  ];
}

/** Empty without recent problems. */
export function problemFindings(problems: readonly CheckpointProblem[], now: number): DoctorFinding[] {
  const recent = problems.filter(({ at }) => now - Date.parse(at) < recentMs);
  const last = recent.slice(-shownProblems);
  return last.map(({ at, what, why }, i) => ({
    state: 'without',
    what: i === 0 ? 'checkpoint store' : '',
    detail: `${at}: ${what}: ${why}`,
    help: i === 0 ? `${recent.length} in the last week; see problems.jsonl in docs/checkpoints.md.` : '',
  }));
}

function readHelp(error: unknown): string {
  return (error instanceof PwpError && error.help) || '';
}
