import { RECORD_VERSION, type EventOf, type RecordEvent, type Result } from '../record/index.ts';
import {
  figures,
  incidents,
  instruction,
  lastWords,
  markup,
  resultBanner,
  testOutput,
  verdictOf,
  workChanges,
  type Html,
  type Shown,
  type ShownPatch,
  type Verdict,
} from '../report/index.ts';
import { eventOf, type OpenedRecord } from './opened-record.ts';

/** The overview of an attempt. */
export interface About {
  readonly html: Html;
  readonly verdict: Verdict;
  readonly video: EventOf<'video'> | null;
  readonly problems: readonly string[];
}

/**
 * @param result the content of its `result.json`; null without one
 * @param patch the agent's changes; null without a patch
 */
export async function aboutOf(
  record: OpenedRecord,
  result: Result | null,
  patch: ShownPatch | null,
): Promise<About> {
  const { events, problems } = await record.others();
  const start = eventOf(events, 'start').at(0);
  const reset = eventOf(events, 'reset').at(0) ?? null;
  const grade = eventOf(events, 'grade').at(-1) ?? null;
  const changes = eventOf(events, 'changes').at(-1) ?? null;
  const shown = result ?? shownOf(record, events);
  const facts = {
    ...{ steps: [], services: eventOf(events, 'service'), usages: eventOf(events, 'usage') },
    ...{ refusals: eventOf(events, 'refused-connection'), errors: eventOf(events, 'error') },
  };
  const restores: EventOf<'restore'>[] = [];
  return {
    html: markup`<div class="overview">${instruction({ reset })} ${resultBanner(shown)}</div>
      ${lastWords({ lastTurn: eventOf(events, 'last-turn').at(-1) ?? null })} ${incidents(facts)}
      ${testOutput({ grade })} ${workChanges({ changes }, patch, null)}
      ${result && start && figures({ start, reset, steps: [], restores, result })}`,
    verdict: verdictOf(shown),
    video: eventOf(events, 'video').at(-1) ?? null,
    problems: [
      ...(start ? [] : [`It has no start of version ${RECORD_VERSION}: its lines may mean something else.`]),
      ...problems,
    ],
  };
}

/** For a record whose result was not written, or can't be read. */
function shownOf(record: OpenedRecord, events: readonly RecordEvent[]): Shown {
  const [grade, end] = [eventOf(events, 'grade').at(-1), eventOf(events, 'end').at(0)];
  const steps = record.stops.filter(({ place }) => place.kind === 'step').length;
  return {
    ...{ reward: grade?.reward ?? null, checks: grade?.checks ?? [], rewardTrustworthy: null, doubts: [] },
    trust: grade?.trust ?? null,
    ended: end ? { how: end.how, reason: end.reason } : null,
    ...{ steps, durations: { totalMs: record.lastMs } },
  };
}
