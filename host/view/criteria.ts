import { callsOf, type Call } from '../analysis/index.ts';
import { actionText, type EventOf, type RecordedMark, type RecordedObservation } from '../record/index.ts';
import type { Moment } from '../report/index.ts';
import type { OpenedRecord } from './opened-record.ts';
import type { Criteria } from './page/index.ts';

export function isEmpty({ effect, tool, mark, text }: Criteria): boolean {
  return effect === '' && tool === '' && mark === '' && text === '';
}

/**
 * The places of the steps that meet all criteria: one action has the effect, the tool and the mark, and the text is
 * anywhere in the step.
 * @param marksOf reads the marks of an observation; empty if they can't be read
 */
export async function matching(
  record: OpenedRecord,
  marksOf: MarksOf,
  criteria: Criteria,
  signal: AbortSignal,
): Promise<number[]> {
  const found: number[] = [];
  const mayMatch = rawTest(criteria);
  for await (const read of record.texts(0, record.stops.length)) {
    signal.throwIfAborted();
    if (!mayMatch([read.text, ...read.said].join('\n'))) continue;
    const { at, moment } = record.parse(read);
    if (moment && (await matches(moment, criteria, () => marksBefore(record, marksOf, at)))) found.push(at);
  }
  return found;
}

export type MarksOf = (observation: RecordedObservation) => Promise<readonly RecordedMark[]>;
type Names = ReadonlyMap<number, string>;

async function matches(moment: Moment, criteria: Criteria, marks: () => Promise<Names>): Promise<boolean> {
  if (!hasText(moment, criteria.text.toLowerCase())) return false;
  const { effect, tool, mark } = criteria;
  if (effect === '' && tool === '' && mark === '') return true;
  const calls = moment.step === null ? [] : callsOf(moment.step);
  for (const call of calls) {
    if (effect !== '' && call.outcome?.effect !== effect) continue;
    if (tool !== '' && call.name !== tool) continue;
    if (mark === '' || (await isOnMark(call, mark.toLowerCase(), marks))) return true;
  }
  return false;
}

async function isOnMark({ action }: Call, wanted: string, marks: () => Promise<Names>): Promise<boolean> {
  if (action.kind !== 'mark') return false;
  const ids = [action.mark, ...(action.verb === 'drag' ? [action.to] : [])];
  const number = /^\[?(\d+)\]?$/.exec(wanted)?.[1];
  if (number !== undefined) return ids.includes(Number(number));
  const names = await marks();
  return ids.some((id) => names.get(id)?.includes(wanted) === true);
}

/** The marks that were on the screen before a step, in lower case. */
async function marksBefore(record: OpenedRecord, marksOf: MarksOf, at: number): Promise<Names> {
  for await (const { moment } of record.read(at - 1, at)) {
    if (!moment) break;
    const marks = await marksOf(moment.observation);
    return new Map(marks.map(({ id, role, name }) => [id, `${role} ${name}`.toLowerCase()]));
  }
  return new Map();
}

/** Whether the text is in the message, the actions, their evidence or output, or in what was said afterwards. */
function hasText({ step, people, said }: Moment, wanted: string): boolean {
  if (wanted === '') return true;
  const texts = [
    ...(step ? textsOf(step) : []),
    ...(people ? textsOfPeople(people) : []),
    ...said.map(wordsOf),
  ];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

function textsOf(step: EventOf<'step'>): string[] {
  const { message = '', reasoning = '' } = step.turn;
  const calls = callsOf(step).flatMap(({ name, arguments: given, action, outcome }) => [
    ...[name, actionText(action), ...Object.values(given).filter((value) => typeof value === 'string')],
    ...[outcome?.evidence ?? '', outcome?.output ?? ''],
    ...(outcome?.changed ?? []).map(({ path }) => path),
  ]);
  return [message, reasoning, ...calls];
}

function wordsOf(event: EventOf<'message' | 'reply'>): string {
  if (event.event === 'message') return `${event.from}\n${event.text}`;
  return `${event.turn.message ?? ''}\n${event.turn.reasoning ?? ''}`;
}

function textsOfPeople({ acts, changes }: EventOf<'people'>): string[] {
  return [changes, ...acts.flatMap(({ action, evidence }) => [action, evidence])];
}

/** Texts that the JSON of a matching step must contain: parsing all others would take a hundred times as long. */
function rawTest({ effect, tool, mark, text }: Criteria): (line: string) => boolean {
  const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
  return (line) =>
    (effect === '' || line.includes(`"effect":${JSON.stringify(effect)}`)) &&
    (tool === '' || isInput.has(tool) || line.includes(JSON.stringify(tool).slice(1, -1))) &&
    (mark === '' || line.includes('"kind":"mark"')) &&
    (text === '' || text.length < 3 || line.toLowerCase().includes(wanted));
}

/** Names of calls that stand for a kind of input, and do not appear in a record. */
const isInput = new Set(['xdotool', 'computer', 'dialog', 'ask_person', 'unreadable']);
