import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import type { Environment } from '../env/index.ts';
import type { EpisodeHistory } from '../record/index.ts';
import type { Line, Saved } from './line.ts';

/** The beginning of a replay. */
export interface Beginning {
  /** The checkpoint that it began from; null for the initial state of the task. */
  readonly checkpoint: string | null;
  /** The step that this reached, `0` for the start. */
  readonly step: number;
  /** The number of the line's moments that this reached. */
  readonly after: number;
  /** Why it did not begin later. */
  readonly notes: readonly string[];
}

/** A replay that has begun. */
export interface Begun {
  readonly beginning: Beginning;
  /** The screen at the checkpoint, as PNG; null without one. */
  readonly restored: Uint8Array | null;
}

/** Errors after which the recorded actions still lead there, without the checkpoint. */
const replayable = [
  'no-such-checkpoint',
  'checkpoint-damaged',
  'checkpoint-other-image',
  'checkpoint-other-format',
  'restore-failed',
  'unsupported',
];

/**
 * Begins at the last checkpoint of the line that can be restored, else in the task's initial state. Errors:
 * `replay-no-start` for an episode that itself began from a checkpoint, which is gone.
 * @param useCheckpoints consider the checkpoints that were taken on the way
 */
export async function begin(
  env: Environment,
  history: EpisodeHistory,
  line: Line,
  useCheckpoints: boolean,
  signal: AbortSignal,
): Promise<Begun> {
  const notes: string[] = [];
  const usable = line.saved.filter(({ after }) => useCheckpoints || (line.from !== null && after === 0));
  const first: Saved[] =
    line.from === null || usable.some(({ id }) => id === line.from)
      ? []
      : [{ id: line.from, step: 0, after: 0 }];
  for (const { id, step, after } of [...usable, ...first]) {
    const resumed = await resume(env, id, step, signal);
    if (!('why' in resumed)) return { beginning: { checkpoint: id, step, after, notes }, ...resumed };
    notes.push(`the checkpoint after step ${step} can't be used: ${resumed.why}`);
  }
  if (line.from !== null) throw noStart(history, notes);
  const [, { notes: ofReset }] = await env.reset({ signal });
  const beginning = { checkpoint: null, step: 0, after: 0, notes: [...notes, ...ofReset] };
  return { beginning, restored: null };
}

/** Begins there, or returns why it can't. */
async function resume(
  env: Environment,
  checkpoint: string,
  step: number,
  signal: AbortSignal,
): Promise<Pick<Begun, 'restored'> | { readonly why: string }> {
  let restored: Uint8Array | null = null;
  try {
    await env.resume(
      { checkpoint, step },
      { signal, onRestored: (screen) => (restored = screen?.bytes ?? null) },
    );
    return { restored };
  } catch (error) {
    if (error instanceof PwpError && replayable.includes(error.code)) return { why: messageOf(error) };
    throw error;
  }
}

function noStart({ start, folder }: EpisodeHistory, notes: readonly string[]): PwpError {
  const { forkedFrom } = start;
  const at = forkedFrom?.step ?? null;
  const where = forkedFrom ? ` ${forkedFrom.session}${at === null ? '' : ` after its step ${at}`}` : '';
  return new PwpError(
    'replay-no-start',
    `the episode in ${folder} began from a checkpoint: ${notes.join('; ')}`,
    {
      help: `It branched off the episode${where}: replay that one.`,
    },
  );
}
