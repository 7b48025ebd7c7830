import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { actionText } from '../../ide/index.ts';
import {
  AttemptReader,
  failureModes,
  findFailureModes,
  hasFailed,
  listCalls,
  type RecordedCall,
  type RecordFigures,
  type ReportMoment,
} from '../../read/index.ts';
import {
  type EventOf,
  fieldInLine,
  type RecordedMark,
  type RecordedObservation,
  recordFiles,
  textInLine,
} from '../../run/index.ts';
import type { AttemptFacts, StepCriteria } from '../web/index.ts';
import type { OpenedRecord } from './opened-record.ts';
import type { ViewFolder } from './view-folder.ts';
import type { ViewedAttempt } from './view-index.ts';

/**
 * The places of the steps that meet all criteria: one action has the effect, the tool and the mark, and the text is
 * anywhere in the step.
 * @param marksOf reads the marks of an observation; empty if they can't be read
 */
export async function findMatchingSteps(
  record: OpenedRecord,
  marksOf: MarksReader,
  criteria: StepCriteria,
  signal: AbortSignal,
): Promise<number[]> {
  const found: number[] = [];
  const mayMatch = makeLineTest(criteria);
  for await (const read of record.texts(0, record.stops.length)) {
    signal.throwIfAborted();
    if (!mayMatch([read.text, ...read.said].join('\n'))) continue;
    const { at, moment } = record.parse(read);
    if (moment && (await matchesMoment(moment, criteria, () => readMarksBefore(record, marksOf, at))))
      found.push(at);
  }
  return found;
}

type MarksReader = (observation: RecordedObservation) => Promise<readonly RecordedMark[]>;
type MarkNames = ReadonlyMap<number, string>;

async function matchesMoment(
  moment: ReportMoment,
  criteria: StepCriteria,
  marks: () => Promise<MarkNames>,
): Promise<boolean> {
  if (!hasText(moment, criteria.text.toLowerCase())) return false;
  const { effect, tool, mark } = criteria;
  if (effect === '' && tool === '' && mark === '') return true;
  const calls = moment.step === null ? [] : listCalls(moment.step);
  for (const call of calls) {
    if (effect !== '' && call.outcome?.effect !== effect) continue;
    if (tool !== '' && call.name !== tool) continue;
    if (mark === '' || (await actsOnMark(call, mark.toLowerCase(), marks))) return true;
  }
  return false;
}

async function actsOnMark(
  { action }: RecordedCall,
  wanted: string,
  marks: () => Promise<MarkNames>,
): Promise<boolean> {
  if (action.kind !== 'mark') return false;
  const ids = [action.mark, ...(action.verb === 'drag' ? [action.to] : [])];
  const number = /^\[?(\d+)\]?$/.exec(wanted)?.[1];
  if (number !== undefined) return ids.includes(Number(number));
  const names = await marks();
  return ids.some((id) => names.get(id)?.includes(wanted) === true);
}

/** The marks that were on the screen before a step, in lower case. */
async function readMarksBefore(record: OpenedRecord, marksOf: MarksReader, at: number): Promise<MarkNames> {
  for await (const { moment } of record.read(at - 1, at)) {
    if (!moment) break;
    const marks = await marksOf(moment.observation);
    return new Map(marks.map(({ id, role, name }) => [id, `${role} ${name}`.toLowerCase()]));
  }
  return new Map();
}

/** Whether the text is in the message, the actions, their evidence or output, or in what was said afterwards. */
function hasText({ step, people, said }: ReportMoment, wanted: string): boolean {
  if (wanted === '') return true;
  const texts = [
    ...(step ? collectStepTexts(step) : []),
    ...(people ? collectPeopleTexts(people) : []),
    ...said.map(collectWords),
  ];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

function collectStepTexts(step: EventOf<'step'>): string[] {
  const { message = '', reasoning = '' } = step.turn;
  const calls = listCalls(step).flatMap(({ name, arguments: given, action, outcome }) => [
    ...[name, actionText(action), ...Object.values(given).filter((value) => typeof value === 'string')],
    ...[outcome?.evidence ?? '', outcome?.output ?? ''],
    ...(outcome?.changed ?? []).map(({ path }) => path),
  ]);
  return [message, reasoning, ...calls];
}

function collectWords(event: EventOf<'message' | 'reply'>): string {
  if (event.event === 'message') return `${event.from}\n${event.text}`;
  return `${event.turn.message ?? ''}\n${event.turn.reasoning ?? ''}`;
}

function collectPeopleTexts({ acts, changes }: EventOf<'people'>): string[] {
  return [changes, ...acts.flatMap(({ action, evidence }) => [action, evidence])];
}

/** Texts that the line of a matching step must contain: parsing all others would take a hundred times as long. */
function makeLineTest({ effect, tool, mark, text }: StepCriteria): (line: string) => boolean {
  const [effectField, toolText] = [fieldInLine('effect', effect), textInLine(tool)];
  const [markField, wanted] = [fieldInLine('kind', 'mark'), textInLine(text).toLowerCase()];
  return (line) =>
    (effect === '' || line.includes(effectField)) &&
    (tool === '' || inputNames.has(tool) || line.includes(toolText)) &&
    (mark === '' || line.includes(markField)) &&
    (text === '' || text.length < 3 || line.toLowerCase().includes(wanted));
}

/** Names of calls that stand for a kind of input, and do not appear in a record. */
const inputNames = new Set(['xdotool', 'computer', 'dialog', 'ask_person', 'unreadable']);

/** Problems between an agent and the screen, besides the failure modes. */
export const screenProblems = [
  'stale-mark',
  'missed-click',
  'repeated-state',
  'settle-cap',
  'unreadable-record',
] as const;

/** The maximum number of attempts whose facts are kept: in a larger study, the first ones are read again. */
const mostKeptFacts = 20_000;

/** Reads the records of attempts, each only once while it is not written to. */
export class FactsReader {
  readonly #folder: ViewFolder;
  readonly #kept = new Map<string, { readonly stamp: string; readonly facts: AttemptFacts }>();

  constructor(folder: ViewFolder) {
    this.#folder = folder;
  }

  /** Facts of attempts, in order, as they are read. */
  async *all(attempts: readonly ViewedAttempt[], signal: AbortSignal): AsyncGenerator<AttemptFacts> {
    for (const attempt of attempts) {
      signal.throwIfAborted();
      yield await this.#of(attempt);
    }
  }

  async #of(attempt: ViewedAttempt): Promise<AttemptFacts> {
    const { record, line } = attempt;
    if (record === null) return makeUnreadableFacts(line.id, ['it left no record']);
    const path = await this.#folder.file(record, recordFiles.events).catch(() => null);
    if (path === null)
      return makeUnreadableFacts(line.id, [`there is no ${recordFiles.events} in ${record}`]);
    const { size, mtimeMs } = await stat(path);
    const stamp = `${line.state} ${size} ${mtimeMs}`;
    const kept = this.#kept.get(line.id);
    if (kept?.stamp === stamp) return kept.facts;
    const reader = new AttemptReader();
    const figures = await reader.figures(dirname(path));
    const facts = deriveFacts(
      attempt,
      figures,
      reader.problems.map(({ what }) => what),
    );
    if (this.#kept.size < mostKeptFacts) this.#kept.set(line.id, { stamp, facts });
    return facts;
  }
}

function makeUnreadableFacts(id: string, problems: readonly string[]): AttemptFacts {
  return { id, modes: ['unreadable-record'], effects: [], tools: [], problems };
}

function deriveFacts(
  attempt: ViewedAttempt,
  figures: RecordFigures | null,
  problems: readonly string[],
): AttemptFacts {
  const { line, limit, trustworthy } = attempt;
  const { id, reward, end } = line;
  const modes = findFailureModes({ figures, end: end ?? '', limit, reward });
  const isOver = end !== null && hasFailed({ reward, trustworthy });
  return {
    id,
    modes: [
      ...(isOver ? failureModes.filter((mode) => modes[mode] === true) : []),
      ...(figures ? deriveScreenProblems(figures) : []),
      ...(problems.length > 0 ? ['unreadable-record'] : []),
    ],
    effects: figures ? listOccurring(figures.byEffect) : [],
    tools: figures ? [...new Set(figures.calls)].toSorted() : [],
    problems,
  };
}

function deriveScreenProblems(figures: RecordFigures): string[] {
  const { staleMarks, missedClicks, repeatedStates, settleCaps } = figures;
  return [
    ...(staleMarks > 0 ? ['stale-mark'] : []),
    ...(missedClicks > 0 ? ['missed-click'] : []),
    ...((repeatedStates ?? 0) > 0 ? ['repeated-state'] : []),
    ...(settleCaps > 0 ? ['settle-cap'] : []),
  ];
}

function listOccurring(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([name, times]) => (times > 0 ? [name] : []));
}
