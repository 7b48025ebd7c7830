import { execa } from 'execa';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import {
  createDockerNode,
  watchLimits,
  type CheckpointProblem,
  type CheckpointSupport,
  type Node,
  type WatchLimits,
} from '../node/index.ts';
import { checkRequirements } from '../setup/index.ts';
import { openNode, nodeChoice } from './context.ts';

/** One line of `pwp doctor`. */
export interface Finding {
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
export async function diagnose(signal: AbortSignal): Promise<Finding[]> {
  return [
    ...(await requirements()),
    ...(await runcVersion()),
    ...watchFindings(await watchLimits()),
    await docker(),
    ...(await node(signal)),
  ];
}

async function requirements(): Promise<Finding[]> {
  return (await checkRequirements()).map(({ name: what, found, optional, detail, help }) => {
    const state = found ? 'ok' : optional ? 'without' : 'missing';
    return { state, what, detail, help };
  });
}

/** Empty without runc, which is already reported. */
async function runcVersion(): Promise<Finding[]> {
  const { stdout, exitCode } = await execa('runc', ['--version'], { reject: false });
  if (exitCode !== 0) return [];
  return [{ state: 'ok', what: 'runc version', detail: stdout.split('\n', 1)[0] ?? '', help: '' }];
}

/** Empty if the kernel does not say. */
export function watchFindings(limits: WatchLimits | null): Finding[] {
  if (!limits) return [];
  const { instances, watches, cure } = limits;
  const detail = `${instances} inotify instances and ${watches} watches for all sandboxes together`;
  const help = cure === null ? '' : `Raise them, for more than a few IDEs at once: ${cure}`;
  return [{ state: cure === null ? 'ok' : 'without', what: 'file watchers', detail, help }];
}

async function docker(): Promise<Finding> {
  try {
    await (await createDockerNode())[Symbol.asyncDispose]();
    return { state: 'ok', what: 'Docker', detail: 'the engine answers: --node docker can be used', help: '' };
  } catch (error) {
    return { state: 'without', what: 'Docker', detail: messageOf(error), help: helpOf(error) };
  }
}

/** The node that would be used, and what it can do. */
async function node(signal: AbortSignal): Promise<Finding[]> {
  const { kind, reason } = nodeChoice();
  try {
    await using chosen = await openNode(signal);
    const usable: Finding = { state: 'ok', what: 'node', detail: `${kind}, since ${reason}`, help: '' };
    return [usable, ...(await checkpoints(chosen, signal))];
  } catch (error) {
    return [{ state: 'missing', what: 'node', detail: `${kind}: ${messageOf(error)}`, help: helpOf(error) }];
  }
}

async function checkpoints(chosen: Node, signal: AbortSignal): Promise<Finding[]> {
  try {
    const support = supportFindings(await chosen.checkpointSupport({ signal }));
    return [...support, ...problemFindings(await chosen.checkpointProblems(), Date.now())];
  } catch (error) {
    return [{ state: 'without', what: 'checkpoints', detail: messageOf(error), help: helpOf(error) }];
  }
}

function supportFindings({ kind, criu, notes }: CheckpointSupport): Finding[] {
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
    ...notes.map((note): Finding => ({ state, what: '  note', detail: note, help: '' })),
  ];
}

/** Empty without recent problems. */
export function problemFindings(problems: readonly CheckpointProblem[], now: number): Finding[] {
  const recent = problems.filter(({ at }) => now - Date.parse(at) < recentMs);
  const last = recent.slice(-shownProblems);
  return last.map(({ at, what, why }, i) => ({
    state: 'without',
    what: i === 0 ? 'checkpoint store' : '',
    detail: `${at}: ${what}: ${why}`,
    help: i === 0 ? `${recent.length} in the last week; see problems.jsonl in docs/checkpoints.md.` : '',
  }));
}

function helpOf(error: unknown): string {
  return (error instanceof PwpError && error.help) || '';
}
