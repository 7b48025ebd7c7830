import type { Settled } from '../node/index.ts';
import { changesText, unreadLines } from './changes-text.ts';
import type { ActionOutcome } from './effect/index.ts';
import { boxText, markLine } from './mark-line-text.ts';
import type { Observation, PageText, Pointer, StepInfo } from './types.ts';

/**
 * A step as text: effect and evidence of each action, why it settled, what is on the screen now, and which marks are new,
 * changed or gone.
 */
export function stepText(observation: Observation, info: StepInfo): string {
  const outcome = outcomeText(observation, info);
  return info.withheld === undefined ? `${outcome}\n${changesText(observation, info.marks)}` : outcome;
}

/** The same without marks, for callers that list all of them. */
export function outcomeText(observation: Observation, info: StepInfo): string {
  const outcomes = [...beforeText(info), ...unplayedText(info), ...triedIn(info).map(effectText)];
  const later = info.skipped.length;
  const skipped = later === 0 ? [] : [`not tried: ${later} later ${later === 1 ? 'action' : 'actions'}`];
  const end = info.withheld ?? `${settledText(info.settled)}\n${seenText(observation)}`;
  return [...outcomes, ...skipped, end].join('\n');
}

/** The number of actions that were not played since a later one of their batch can't be read: that one says why. */
function unplayedText(info: StepInfo): string[] {
  const count = info.outcomes.length - triedIn(info).length;
  if (count === 0) return [];
  return [`not played: ${count} ${count === 1 ? 'action' : 'actions'}, since the next one can't be read`];
}

function triedIn({ outcomes }: StepInfo): ActionOutcome[] {
  return outcomes.filter(({ untried }) => untried !== true);
}

/** What happened before it, as a line. */
export function beforeText({ meanwhile }: Pick<StepInfo, 'meanwhile'>): string[] {
  return meanwhile === undefined ? [] : [`before this step: ${meanwhile}`];
}

/** Effect and evidence of one action, and its output. If that begins with the evidence, the evidence is not repeated. */
export function effectText({
  effect,
  evidence,
  output,
}: Pick<ActionOutcome, 'effect' | 'evidence'> & Partial<Pick<ActionOutcome, 'output'>>): string {
  if (output === undefined) return `${effect}: ${evidence}`;
  return `${output}\n`.startsWith(`${evidence}\n`)
    ? `${effect}: ${output}`
    : `${effect}: ${evidence}\n${output}`;
}

/** Why a step ended, e.g. `settled after 312 ms (quiet)`. */
export function settledText({ ms, reason, busy }: Settled): string {
  const rest =
    busy.length > 0 ? `, ${reason === 'quiet' ? 'busy as before' : 'still busy'}: ${busy.join(', ')}` : '';
  return `settled after ${Math.round(ms)} ms (${reason}${rest})`;
}

/** One line about the screen, then the marks. */
export function observationText(observation: Observation): string {
  return `${seenText(observation)}\n${marksText(observation)}`;
}

/** One line about the screen, and the changes by people before. */
export function seenText(observation: Observation): string {
  const { personChanges } = observation;
  return [headline(observation), ...(personChanges === undefined ? [] : [personChanges])].join('\n');
}

/** Number, title and focus, and parts that could not be read; or the dialog in front of everything. */
export function headline({ number, focus, marks, title, dialog, unread = [] }: Observation): string {
  if (dialog) return `observation ${number}: the browser asks (${dialog.type}): ${dialog.message}`;
  const missing = unread.length > 0 ? ` (not read: ${unread.map(({ what }) => what).join(', ')})` : '';
  return `observation ${number}: "${title}", focus on ${focus ? `${focus.role} "${focus.name}"` : 'nothing'}, ${marks.length} marks${missing}`;
}

/** The marks, one per line, and how many are omitted. */
export function marksText({ marks, omittedMarks, unread = [] }: Observation): string {
  return [
    ...(marks.length === 0 && omittedMarks === 0 ? ['no marks'] : []),
    ...marks.map((mark) => markLine(mark)),
    ...(omittedMarks > 0 ? [`… and ${omittedMarks} more: narrow the question by within, role or text`] : []),
    ...unreadLines(unread),
  ].join('\n');
}

/** Readable text that is not in a mark, one piece per line. */
export function pageText({ pieces, omitted, unread }: PageText): string {
  return [
    ...pieces.map(({ text, box }) => `text ${JSON.stringify(text)} ${boxText(box)}`),
    ...(omitted > 0 ? [`… and ${omitted} more: narrow the question by within`] : []),
    ...unread.map((what) => `not read: ${what}`),
  ].join('\n');
}

/** E.g. `x:20 y:40`, and the element there. */
export function pointerText({ x, y, under }: Pointer): string {
  const at = `x:${x} y:${y}`;
  if (!under) return `${at}\nunder it: nothing that is known`;
  const { mark: id, ...rest } = under;
  return `${at}\nunder it: ${markLine({ id, ...rest })}`;
}
