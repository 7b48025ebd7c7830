import type { Settled } from '../node/index.ts';
import type { Observation, StepInfo } from './types.ts';

/** A step as text: effect and evidence of each action, why it settled, and what is there now. */
export function stepText(observation: Observation, info: StepInfo): string {
  const outcomes = info.outcomes.map(({ effect, evidence, output }) =>
    [`${effect}: ${evidence}`, output].filter((line) => line !== undefined).join('\n'),
  );
  const skipped = info.skipped.length === 0 ? [] : [`not tried: ${info.skipped.length} later actions`];
  return [...outcomes, ...skipped, settledText(info.settled), headline(observation)].join('\n');
}

/** Why a step ended, e.g. `settled after 312 ms (quiet)`. */
export function settledText({ ms, reason, busy }: Settled): string {
  const rest = reason === 'quiet' ? '' : `, still busy: ${busy.join(', ')}`;
  return `settled after ${Math.round(ms)} ms (${reason}${rest})`;
}

/** One line on what is there, then the marks. */
export function observationText(observation: Observation): string {
  return `${headline(observation)}\n${marksText(observation)}`;
}

/** Number, title and focus, or the dialog in front of it all. */
export function headline({ number, focus, marks, title, dialog }: Observation): string {
  if (dialog) return `observation ${number}: the browser asks (${dialog.type}): ${dialog.message}`;
  return `observation ${number}: "${title}", focus on ${focus ? `${focus.role} "${focus.name}"` : 'nothing'}, ${marks.length} marks`;
}

/** The marks, one a line, and what is not among them. */
export function marksText({ marks, omittedMarks, unread = [] }: Observation): string {
  return [
    ...marks.map(markLine),
    ...(omittedMarks > 0 ? [`… and ${omittedMarks} more: narrow the question by within, role or text`] : []),
    ...unread.map(({ what, why }) => `not read: ${what}: ${why}`),
  ].join('\n');
}

/** Id, role, name, box, value, states. */
function markLine({ id, role, name, value, state, box }: Observation['marks'][number]): string {
  const at = `${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)}`;
  const held = value === undefined ? [] : [`= ${JSON.stringify(value)}`];
  return [`[${id}]`, role, JSON.stringify(name), at, ...held, ...Object.keys(state)].join(' ');
}
