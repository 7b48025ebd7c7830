import { PwpError, type PwpErrorCode } from '../../bridge/lib/index.ts';
import type { EpisodeResult } from '../agents/index.ts';

/** All attempts with the same model would fail with these errors. */
const shared: readonly PwpErrorCode[] = [
  'model-denied',
  'model-key-missing',
  'model-no-credit',
  'model-redirected',
  'no-such-model',
];
/** The number of consecutive attempts of one agent without any answer of its model. */
const mostUnanswered = 3;

/** Stops a study: the cause of this attempt's end would end all others of the agent. */
export class SharedFailure extends PwpError {}

/** Detects attempts that ended because the model can't be asked. */
export class SharedFailures {
  readonly #unanswered = new Map<string, number>();

  /** @param agent its name in the study. Errors: {@link SharedFailure}. */
  check(agent: string, { end, code, error, steps }: EpisodeResult): void {
    if (end !== 'model-failed') {
      this.#unanswered.delete(agent);
      return;
    }
    const why = error ?? 'its model could not be asked';
    if (shared.some((one) => one === code)) throw stopped(agent, why, code);
    const count = steps > 0 ? 0 : (this.#unanswered.get(agent) ?? 0) + 1;
    this.#unanswered.set(agent, count);
    if (count >= mostUnanswered)
      throw stopped(agent, `${count} attempts in a row without an answer: ${why}`, code);
  }
}

function stopped(agent: string, why: string, code: PwpErrorCode | null): SharedFailure {
  return new SharedFailure(
    code ?? 'model-unavailable',
    `the study stops, no attempt of ${agent} can succeed: ${why}`,
    {
      help: 'Once that is fixed, run the same command again to continue.',
    },
  );
}
