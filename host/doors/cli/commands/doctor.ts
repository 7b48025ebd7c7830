import type { Command } from 'commander';
import { execa } from 'execa';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import {
  type CheckpointProblem,
  type CheckpointSupport,
  checkRequirements,
  createDockerNode,
  type Node,
  readWatchLimits,
  type WatchLimits,
} from '../../../node/index.ts';
import { interruptSignal, nodeChoice, openNode } from '../context.ts';
import { print } from '../output.ts';
import { formatTable } from '../tables.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('report what this machine has and lacks: programs, node, Docker, live checkpoints')
    .option('--json', 'print as JSON')
    .action(runDoctor);
}

async function runDoctor({ json = false }: { json?: boolean }): Promise<void> {
  const found = await diagnose(interruptSignal());
  print(found, json, () => formatTable([['', 'WHAT', 'FOUND', 'WHAT TO DO'], ...found.map(findingRow)]));
  if (found.some(({ state }) => state === 'missing')) process.exitCode = 2;
}

function findingRow({ state, what, detail, help }: MachineFinding): string[] {
  return [state, what, detail, state === 'ok' ? '' : help];
}

/** One line of `pwp doctor`. */
interface MachineFinding {
  /** `missing`: required. `without`: optional, but something works less well. */
  readonly state: 'ok' | 'missing' | 'without';
  readonly what: string;
  readonly detail: string;
  /** What to do about it; empty if nothing. */
  readonly help: string;
}

/** The age up to which problems are shown, in milliseconds, and their maximum number. */
const recentMs = 7 * 24 * 60 * 60 * 1000;
const shownProblems = 5;

/** Checks everything that this project needs and can use on this machine. Changes nothing. */
async function diagnose(signal: AbortSignal): Promise<MachineFinding[]> {
  return [
    ...(await findRequirements()),
    ...(await findRuncVersion()),
    ...watchFindings(await readWatchLimits()),
    await findDocker(),
    ...(await findUsableNode(signal)),
  ];
}

async function findRequirements(): Promise<MachineFinding[]> {
  return (await checkRequirements()).map(({ name: what, found, optional, detail, help }) => {
    const state = found ? 'ok' : optional ? 'without' : 'missing';
    return { state, what, detail, help };
  });
}

/** Empty without runc, which is already reported. */
async function findRuncVersion(): Promise<MachineFinding[]> {
  const { stdout, exitCode } = await execa('runc', ['--version'], { reject: false });
  if (exitCode !== 0) return [];
  return [{ state: 'ok', what: 'runc version', detail: stdout.split('\n', 1)[0] ?? '', help: '' }];
}

/** Empty if the kernel does not say. */
export function watchFindings(limits: WatchLimits | null): MachineFinding[] {
  if (!limits) return [];
  const { instances, watches, cure } = limits;
  const detail = `${instances} inotify instances and ${watches} watches for all sandboxes together`;
  const help = cure === null ? '' : `Raise them, for more than a few IDEs at once: ${cure}`;
  return [{ state: cure === null ? 'ok' : 'without', what: 'file watchers', detail, help }];
}

async function findDocker(): Promise<MachineFinding> {
  try {
    await (await createDockerNode())[Symbol.asyncDispose]();
    return { state: 'ok', what: 'Docker', detail: 'the engine answers: --node docker can be used', help: '' };
  } catch (error) {
    return { state: 'without', what: 'Docker', detail: describeError(error), help: readHelp(error) };
  }
}

/** The node that would be used, and what it can do. */
async function findUsableNode(signal: AbortSignal): Promise<MachineFinding[]> {
  const { kind, reason } = nodeChoice();
  try {
    await using chosen = await openNode(signal);
    const usable: MachineFinding = {
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

async function findCheckpointSupport(chosen: Node, signal: AbortSignal): Promise<MachineFinding[]> {
  try {
    const support = supportFindings(await chosen.checkpointSupport({ signal }));
    return [...support, ...problemFindings(await chosen.checkpointProblems(), Date.now())];
  } catch (error) {
    return [{ state: 'without', what: 'checkpoints', detail: describeError(error), help: readHelp(error) }];
  }
}

function supportFindings({ kind, criu, notes }: CheckpointSupport): MachineFinding[] {
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
    ...notes.map((note): MachineFinding => ({ state, what: '  note', detail: note, help: '' })),
  ];
}

/** Empty without recent problems. */
export function problemFindings(problems: readonly CheckpointProblem[], now: number): MachineFinding[] {
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
