import {
  beforeText,
  effectText,
  type ActionOutcome,
  type AnswerPicture,
  type StepInfo,
} from '../../env/index.ts';
import type { CallResult, Content, ImageMime } from '../../models/index.ts';
import type { Asked } from './calls.ts';

const sentMimes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

export interface ResultsOptions {
  /** The model gets effect and evidence of its actions. */
  readonly effects: boolean;
  /** It is shown the pictures that calls returned. Default true. */
  readonly pictures?: boolean;
}

/** The results of a turn's calls. */
export function resultsOf(
  calls: readonly Asked[],
  info: StepInfo | undefined,
  { effects, pictures = true }: ResultsOptions,
): CallResult[] {
  let next = 0;
  return calls.map(({ id, actions, call }, i) => {
    const outcomes = (info?.outcomes ?? []).slice(next, next + actions.length);
    next += actions.length;
    const missing = actions.length - outcomes.length;
    const text = [
      ...(i === 0 && effects && info ? beforeText(info) : []),
      ...outcomes.map((outcome) => outcomeText(outcome, effects)),
      ...(missing > 0
        ? [`not done: ${missing === actions.length ? 'a former call' : 'a former action'} failed`]
        : []),
    ].join('\n');
    return {
      id,
      ofComputer: call !== undefined,
      failed: missing > 0 || outcomes.some(({ effect }) => effect === 'refused'),
      content: [
        { kind: 'text', text: text === '' ? 'done' : text },
        ...outcomes.flatMap(({ images = [] }) => images.map(pictures ? pictureOf : withheld)),
      ],
      // The call has no effect outside of the sandbox.
      ...(call && call.safetyChecks.length > 0 && { acknowledged: call.safetyChecks }),
    };
  });
}

function outcomeText(outcome: ActionOutcome, effects: boolean): string {
  if (effects || outcome.effect === 'refused') return effectText(outcome);
  return outcome.output ?? 'done';
}

function pictureOf({ bytes, mime, title }: AnswerPicture): Content {
  if (!sentMimes.includes(mime)) return { kind: 'text', text: `(a picture of type ${mime}: ${title})` };
  return { kind: 'image', bytes, mime: mime as ImageMime };
}

function withheld({ title }: AnswerPicture): Content {
  return { kind: 'text', text: `(a picture that can't be shown to you: ${title})` };
}
