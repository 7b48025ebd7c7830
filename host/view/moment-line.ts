import { clip } from '../../bridge/lib/index.ts';
import { callsOf, type Call } from '../analysis/index.ts';
import { actionText } from '../record/index.ts';
import { isFailing, worst, type Moment } from '../report/index.ts';
import type { ReadStop } from './opened-record.ts';
import type { MomentLine } from './page/index.ts';

/** The maximum number of a step's actions on the time line, and of characters of each text. */
const most = { calls: 4, text: 200, files: 8 };

/** A stop, as the time line shows it. */
export function momentLine({ at, id, place, moment, problem }: ReadStop): MomentLine {
  if (moment === null)
    return { ...empty, at, id, name: `Line ${place.number}`, ms: place.ms, failing: true, problem };
  const { step, people, name, ms, observation } = moment;
  const calls = step === null ? [] : callsOf(step);
  return {
    ...empty,
    ...{ at, id, name, ms, screen: observation.screen, failing: isFailing(moment) },
    ...(step !== null && ofStep(moment, calls)),
    ...(people !== null && {
      calls: people.acts.slice(0, most.calls).map(({ action }) => ({ text: cut(action), effect: null })),
      more: Math.max(0, people.acts.length - most.calls),
    }),
  };
}

const empty: Omit<MomentLine, 'at' | 'id' | 'name' | 'ms'> = {
  ...{ effect: null, failing: false, calls: [], more: 0, message: null, stepMs: null, modelMs: null },
  ...{ tokens: null, files: [], screen: null, problem: null },
};

function ofStep({ step }: Moment, calls: readonly Call[]): Partial<MomentLine> {
  if (step === null) return {};
  const { turn, outcomes, timing } = step;
  const { message, promptTokens, completionTokens, modelMs } = turn;
  const known = promptTokens !== undefined || completionTokens !== undefined;
  const files = outcomes.flatMap(({ changed = [] }) => changed.map(({ path }) => cut(path)));
  return {
    effect: worst(outcomes.map((outcome) => outcome.effect)),
    calls: calls.slice(0, most.calls).map(({ action, outcome }) => ({
      text: cut(actionText(action)),
      effect: outcome?.effect ?? null,
    })),
    more: Math.max(0, calls.length - most.calls),
    message: message === undefined || message === '' ? null : cut(message),
    stepMs: timing.totalMs,
    modelMs: modelMs ?? null,
    tokens: known ? (promptTokens ?? 0) + (completionTokens ?? 0) : null,
    files: [...new Set(files)].slice(0, most.files),
  };
}

function cut(text: string): string {
  return text.length <= most.text ? text : `${clip(text, most.text)}…`;
}
