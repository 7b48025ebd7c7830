import { formatCount, formatDollars, formatDuration } from '../../../../bridge/text/index.ts';
import type { ShownPatch } from '../../../read/index.ts';
import type { EpisodeHistory, EventOf, RecordedResult } from '../../../run/index.ts';
import { formatTokens } from './result-words.ts';

/** The fields of a result that are shown. */
export type ShownResult = Pick<
  RecordedResult,
  'reward' | 'rewardTrustworthy' | 'doubts' | 'trust' | 'checks' | 'ended' | 'steps'
> & { readonly durations: Pick<RecordedResult['durations'], 'totalMs'> };

/** An episode besides its steps: plain data, which a server can send. */
export interface EpisodeOverview extends Pick<EpisodeHistory, 'lastTurn' | 'changes'> {
  /** Null if the episode ended before the task was given. */
  readonly instruction: string | null;
  readonly result: ShownResult;
  readonly incidents: readonly Incident[];
  /** Output of the tests; may be empty. */
  readonly log: string;
  readonly patch: ShownPatch | null;
  /** Names with their values; null if there is no complete result. */
  readonly figures: readonly (readonly [name: string, value: string])[] | null;
}

/** Services that died, refused connections, limits that were hit, and errors. */
interface Incident {
  readonly ms: number;
  readonly what: string;
}

type IncidentEvents = Pick<EpisodeHistory, 'steps' | 'services' | 'refusals' | 'usages' | 'errors'>;

/** In order of time. */
export function listIncidents({ steps, services, refusals, usages, errors }: IncidentEvents): Incident[] {
  const inSteps = steps.flatMap((step) =>
    step.services.map((service) => ({ service, ms: step.ms, at: `Step ${step.step}` })),
  );
  const between = services.map(({ service, ms }) => ({ service, ms, at: 'Between steps' }));
  const died = [...inSteps, ...between]
    .filter(({ service }) => isIncident(service))
    .map(({ service, ms, at }) => ({ ms, what: `${at}: ${describeIncident(service)}` }));
  const met = errors.map((error) => ({ ms: error.ms, what: describeRecordedError(error) }));
  const limits = usages
    .filter(({ hit }) => hit.length > 0)
    .map((event) => ({ ms: event.ms, what: describeHitLimit(event) }));
  const refused = refusals.map((refusal) => ({ ms: refusal.ms, what: describeRefusal(refusal) }));
  return [...died, ...refused, ...limits, ...met].sort((a, b) => a.ms - b.ms);
}

type ServiceEvent = EventOf<'service'>['service'];

/** A part that died or was restarted; its first start is not an incident. */
export function isIncident({ state, restarts }: ServiceEvent): boolean {
  return state === 'failed' || restarts > 0;
}

export function describeIncident({ name, state, restarts, detail }: ServiceEvent): string {
  const again = restarts > 1 ? `, ${restarts} times so far` : '';
  const happened = {
    waiting: 'died and waits for its restart',
    starting: 'died and is being restarted',
    ready: 'died and was restarted',
    failed: 'failed',
  }[state];
  return `${name} ${happened}${again}${detail === undefined ? '' : `: ${detail}`}`;
}

function describeHitLimit({ hit, usage: { hits } }: EventOf<'usage'>): string {
  const sentences = {
    cpu: 'the limit of cores',
    memory: `the limit of memory: ${hits.memory} processes were killed so far`,
    pids: `the limit of processes: ${hits.pids} were refused so far`,
    disk: 'the limit of disk: it was full',
  };
  return `The sandbox hit ${hit.map((name) => sentences[name]).join('; ')}`;
}

function describeRefusal({ host, port, why }: EventOf<'refused-connection'>): string {
  if (why === 'too-many-connections') return 'Connection refused: too many at once';
  return `Connection to ${host}:${port} refused: ${why.replaceAll('-', ' ')}`;
}

function describeRecordedError({ message, code, causes, help }: EventOf<'error'>): string {
  const because = causes.map((cause) => `\nbecause: ${cause}`).join('');
  return `${message} (${code})${because}${help === undefined ? '' : `\n${help}`}`;
}

type FigureEvents = Pick<EpisodeHistory, 'start' | 'reset' | 'steps' | 'restores' | 'result'>;

/** Names and figures for comparing runs. */
export function listFigures({ start, reset, steps, restores, result }: FigureEvents): [string, string][] {
  const middle = computeMedian(steps.map((step) => step.timing.totalMs));
  const { startMs, stepsMs, gradeMs, totalMs } = result.durations;
  const rows: readonly [string, string | null][] = [
    ['Total time', formatDuration(totalMs)],
    ['Sandbox start', startMs === null ? null : `${formatDuration(startMs)}${describeStart(reset)}`],
    ['Steps', `${result.steps}, ${formatDuration(stepsMs)} in total`],
    ...listModelUsage(result),
    ['Not played', describeSuppression(result)],
    ['Branches', restores.length === 0 ? null : `${restores.length} besides the first`],
    ['Forked from', start.forkedFrom === undefined ? null : describeFork(start.forkedFrom)],
    ['Median step', middle === null ? null : formatDuration(middle)],
    ['Grading', gradeMs === null ? null : formatDuration(gradeMs)],
    ['Refused connections', result.refusedConnections === 0 ? null : String(result.refusedConnections)],
    ['Agent', `${start.agent.name} ${start.agent.version}`],
    ['Seed', typeof start.seed === 'number' ? String(start.seed) : null],
    ['Sandbox', result.sandbox],
    ['Image', result.image],
    ...Object.entries(start.versions),
    ['Session', start.session],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/** The median of a list of numbers; null for an empty one. */
export function computeMedian(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}

/** The total usage of its model. A sum with an unknown part is unknown. */
function listModelUsage({ asked }: RecordedResult): [string, string][] {
  if (asked === null) return [];
  const { turns, costUsd, modelMs } = asked;
  const time = modelMs === null ? 'time unknown' : formatDuration(modelMs);
  return [
    ['Model', `${formatCount(turns, 'turn')}, ${time}`],
    ['Tokens', formatTokens(asked)],
    ['Cost', formatDollars(costUsd)],
  ];
}

function describeSuppression({ suppressed }: RecordedResult): string | null {
  if (suppressed === null) return null;
  const then = {
    repeated: 'repeated within three steps',
    other: 'not repeated',
    nothing: 'no step followed',
  };
  return `an action of step ${suppressed.step}, on purpose; ${then[suppressed.then]}`;
}

/** How the sandbox was started, if the record has it. */
function describeStart(reset: EpisodeHistory['reset']): string {
  const origins = {
    ...{ cold: ', booted', golden: ', from a golden checkpoint' },
    ...{ fork: ', forked', joined: ', running already' },
  };
  return reset?.from === undefined ? '' : origins[reset.from];
}

type ForkedFrom = NonNullable<EpisodeHistory['start']['forkedFrom']>;

function describeFork({ session, step, checkpoint }: ForkedFrom): string {
  return `${session}${step === null ? '' : `, step ${step}`}, checkpoint ${checkpoint}`;
}
