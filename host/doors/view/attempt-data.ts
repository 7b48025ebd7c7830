import { diffArrays } from 'diff';
import { clip } from '../../../bridge/text/index.ts';
import { actionText } from '../../ide/index.ts';
import {
  isFailingMoment,
  listCalls,
  type RecordedCall,
  type ReportMoment,
  type ShownPatch,
} from '../../read/index.ts';
import {
  type EventOf,
  RECORD_VERSION,
  type RecordedResult,
  type RecordEvent,
  selectEvents,
} from '../../run/index.ts';
import {
  type AlignedData,
  type AlignedRow,
  type AttemptData,
  describeResult,
  type EpisodeOverview,
  findWorstEffect,
  listFigures,
  listIncidents,
  type MomentLine,
  type ShownResult,
} from '../web/index.ts';
import type { OpenedRecord, ReadStop } from './opened-record.ts';

type FolderOverview = Pick<AttemptData, 'overview' | 'verdict' | 'problems'> & {
  readonly video: EventOf<'video'> | null;
};

/**
 * The overview of an attempt.
 * @param result the content of its `result.json`; null without one
 * @param patch the agent's changes; null without a patch
 */
export async function readOverview(
  record: OpenedRecord,
  result: RecordedResult | null,
  patch: ShownPatch | null,
): Promise<FolderOverview> {
  const { events, problems } = await record.others();
  const start = selectEvents(events, 'start').at(0);
  const reset = selectEvents(events, 'reset').at(0) ?? null;
  const shown = result ?? describeUnfinished(record, events);
  const incidents = listIncidents({
    ...{ steps: [], services: selectEvents(events, 'service'), usages: selectEvents(events, 'usage') },
    ...{ refusals: selectEvents(events, 'refused-connection'), errors: selectEvents(events, 'error') },
  });
  const overview: EpisodeOverview = {
    ...{ instruction: reset?.instruction ?? null, result: shown, incidents, patch },
    lastTurn: selectEvents(events, 'last-turn').at(-1) ?? null,
    changes: selectEvents(events, 'changes').at(-1) ?? null,
    log: selectEvents(events, 'grade').at(-1)?.log ?? '',
    figures: result && start ? listFigures({ start, reset, steps: [], restores: [], result }) : null,
  };
  return {
    overview,
    verdict: describeResult(shown),
    video: selectEvents(events, 'video').at(-1) ?? null,
    problems: [
      ...(start ? [] : [`It has no start of version ${RECORD_VERSION}: its lines may mean something else.`]),
      ...problems,
    ],
  };
}

/** For a record whose result was not written, or can't be read. */
function describeUnfinished(record: OpenedRecord, events: readonly RecordEvent[]): ShownResult {
  const [grade, end] = [selectEvents(events, 'grade').at(-1), selectEvents(events, 'end').at(0)];
  const steps = record.stops.filter(({ place }) => place.kind === 'step').length;
  return {
    ...{ reward: grade?.reward ?? null, checks: grade?.checks ?? [], rewardTrustworthy: null, doubts: [] },
    trust: grade?.trust ?? null,
    ended: end ? { how: end.how, reason: end.reason } : null,
    ...{ steps, durations: { totalMs: record.lastMs } },
  };
}

/** The maximum number of a step's actions on the time line, and of characters of each text. */
const momentLimits = { calls: 4, text: 200, files: 8 };

/** A stop, as the time line shows it. */
export function makeMomentLine({ at, id, place, moment, problem }: ReadStop): MomentLine {
  if (moment === null)
    return { ...emptyMomentLine, at, id, name: `Line ${place.number}`, ms: place.ms, failing: true, problem };
  const { step, people, name, ms, observation } = moment;
  const calls = step === null ? [] : listCalls(step);
  return {
    ...emptyMomentLine,
    ...{ at, id, name, ms, screen: observation.screen, failing: isFailingMoment(moment) },
    ...(step !== null && stepLineFields(moment, calls)),
    ...(people !== null && {
      calls: people.acts
        .slice(0, momentLimits.calls)
        .map(({ action }) => ({ text: cutText(action), effect: null })),
      more: Math.max(0, people.acts.length - momentLimits.calls),
    }),
  };
}

const emptyMomentLine: Omit<MomentLine, 'at' | 'id' | 'name' | 'ms'> = {
  ...{ effect: null, failing: false, calls: [], more: 0, message: null, stepMs: null, modelMs: null },
  ...{ tokens: null, files: [], screen: null, problem: null },
};

function stepLineFields({ step }: ReportMoment, calls: readonly RecordedCall[]): Partial<MomentLine> {
  if (step === null) return {};
  const { turn, outcomes, timing } = step;
  const { message, promptTokens, completionTokens, modelMs } = turn;
  const known = promptTokens !== undefined || completionTokens !== undefined;
  const files = outcomes.flatMap(({ changed = [] }) => changed.map(({ path }) => cutText(path)));
  return {
    effect: findWorstEffect(outcomes.map((outcome) => outcome.effect)),
    calls: calls.slice(0, momentLimits.calls).map(({ action, outcome }) => ({
      text: cutText(actionText(action)),
      effect: outcome?.effect ?? null,
    })),
    more: Math.max(0, calls.length - momentLimits.calls),
    message: message === undefined || message === '' ? null : cutText(message),
    stepMs: timing.totalMs,
    modelMs: modelMs ?? null,
    tokens: known ? (promptTokens ?? 0) + (completionTokens ?? 0) : null,
    files: [...new Set(files)].slice(0, momentLimits.files),
  };
}

function cutText(text: string): string {
  return text.length <= momentLimits.text ? text : `${clip(text, momentLimits.text)}…`;
}

/** The maximum number of an attempt's moments to compare, and of differences, above which they are not aligned. */
const alignLimits = { moments: 2000, differences: 1500 };

/** Two attempts side by side, aligned by their actions: the same kind of action on the same thing is one row. */
export async function alignAttempts(a: OpenedRecord, b: OpenedRecord): Promise<AlignedData> {
  const [left, right] = [await readMomentKeys(a), await readMomentKeys(b)];
  const isCut = a.stops.length > alignLimits.moments || b.stops.length > alignLimits.moments;
  const changes = diffArrays(
    left.map(({ key }) => key),
    right.map(({ key }) => key),
    { maxEditLength: alignLimits.differences },
  );
  const rows = changes ? alignByActions(changes, left, right) : alignByPlace(left, right);
  const notes = [
    ...(isCut ? [`Only the first ${alignLimits.moments} moments of each are compared.`] : []),
    ...(changes ? [] : ['They have too little in common: their steps are side by side by their numbers.']),
  ];
  return { rows, note: notes.length === 0 ? null : notes.join(' ') };
}

interface KeyedMoment {
  /** The key by which it is compared. */
  readonly key: string;
  /** All of its actions. */
  readonly text: string;
}

async function readMomentKeys(record: OpenedRecord): Promise<KeyedMoment[]> {
  const keys: KeyedMoment[] = [];
  for await (const stop of record.read(0, Math.min(record.stops.length, alignLimits.moments)))
    keys.push(makeMomentKey(stop));
  return keys;
}

function makeMomentKey({ moment, place }: ReadStop): KeyedMoment {
  if (moment === null) return { key: 'unreadable', text: `unreadable ${place.number}` };
  const kind = moment.step ? 'step' : moment.restore ? 'restore' : moment.people ? 'people' : 'start';
  const calls = moment.step ? listCalls(moment.step) : [];
  return {
    key: [kind, ...calls.map(describeSubject)].join('\n'),
    text: [kind, ...calls.map(({ action }) => actionText(action))].join('\n'),
  };
}

/** The subject of a call, without exact positions of the pointer: the same button is elsewhere on another screen. */
function describeSubject({ action, name, arguments: given, tool }: RecordedCall): string {
  if (action.kind === 'tool') return `${name} ${describeArguments(tool?.arguments ?? given)}`;
  if (action.kind === 'mark') return action.verb;
  return actionText(action).replaceAll(/\d+/g, '0');
}

function describeArguments(given: Readonly<Record<string, unknown>>): string {
  return ['path', 'command', 'query']
    .map((name) => given[name])
    .filter((value) => typeof value === 'string')
    .join(' ');
}

interface KeyChange {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
}

function alignByActions(
  changes: readonly KeyChange[],
  left: readonly KeyedMoment[],
  right: readonly KeyedMoment[],
): AlignedRow[] {
  let [i, j] = [0, 0];
  return changes.flatMap(({ added, removed, value }) =>
    value.map((): AlignedRow => {
      if (removed) return { a: i++, b: null, same: false };
      if (added) return { a: null, b: j++, same: false };
      const same = left[i]?.text === right[j]?.text;
      return { a: i++, b: j++, same };
    }),
  );
}

function alignByPlace(left: readonly KeyedMoment[], right: readonly KeyedMoment[]): AlignedRow[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    a: i < left.length ? i : null,
    b: i < right.length ? i : null,
    same: left[i]?.text === right[i]?.text,
  }));
}
