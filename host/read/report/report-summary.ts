import { formatDollars } from '../../lib/index.ts';
import {
  type EpisodeHistory,
  type EventOf,
  formatPassed,
  type RecordedCheck,
  type RecordedResult,
  recordFiles,
} from '../../run/index.ts';
import { type Html, markup } from './html-page.ts';
import {
  computeMedian,
  describeResult,
  formatCount,
  formatDuration,
  formatTime,
  formatTokens,
} from './report-words.ts';

/** The top of the page: task, agent, time. */
export function renderMasthead({ start, video }: Pick<EpisodeHistory, 'start' | 'video'>): Html {
  const { agent, task } = start;
  const who = agent.model === undefined ? agent.name : `${agent.name} with ${agent.model}`;
  return markup`<header class="masthead">
    <p class="brand">Programming with Pixels</p>
    <h1>${task ?? 'Free session'}</h1>
    <p class="quiet">${who} · ${formatTime(start.at)}${video !== null && renderVideoLink(video)}</p>
  </header>`;
}

/** A link to the video next to the report. */
function renderVideoLink({ failure }: NonNullable<EpisodeHistory['video']>): Html {
  const cut = failure === null ? '' : `, cut short: ${failure}`;
  return markup` · <a href="${recordFiles.video}">video</a>${cut}`;
}

/** The fields of a result that are shown. */
export type ShownResult = Pick<
  RecordedResult,
  'reward' | 'rewardTrustworthy' | 'doubts' | 'trust' | 'checks' | 'ended' | 'steps'
> & {
  readonly durations: Pick<RecordedResult['durations'], 'totalMs'>;
};

/** The score, with each check and its reason. */
export function renderResultBanner(result: ShownResult): Html {
  const { tone, word, score, ended } = describeResult(result);
  return markup`<section class="result ${tone}" aria-labelledby="result">
    <div class="score">
      <h2 id="result">${word}</h2>
      ${score !== null && markup`<p class="number"><span>Score</span> ${score}</p>`}
    </div>
    <p>${ended} after ${formatCount(result.steps, 'step')}, ${formatDuration(result.durations.totalMs)} in total.</p>
    ${result.ended?.reason !== undefined && markup`<p class="reason">${result.ended.reason}</p>`}
    ${
      result.rewardTrustworthy === false &&
      markup`<p class="reason">${['This score is suspect: repeat the episode.', ...result.doubts].join('\n')}</p>`
    }
    ${result.trust !== null && markup`<p class="reason">Trust: ${result.trust}.</p>`}
    ${
      result.checks.length > 0 &&
      markup`<ul class="checks">
        ${result.checks.map(renderCheck)}
      </ul>`
    }
  </section>`;
}

function renderCheck({ name, passed, why }: RecordedCheck): Html {
  const [tone, sign] = passed === null ? ['none', '–'] : passed ? ['good', '✓'] : ['bad', '✕'];
  const word = formatPassed(passed);
  return markup`<li class="${tone}">
    <span class="sign" role="img" aria-label="${word}">${sign}</span>
    <span><b>${name}</b>${passed === null && markup` <i>${word}</i>`}<span class="why">${why}</span></span>
  </li>`;
}

export function renderInstruction({ reset }: Pick<EpisodeHistory, 'reset'>): Html {
  return markup`<section class="instruction" aria-labelledby="instruction">
    <h2 id="instruction">Instruction</h2>
    <p>${reset === null ? 'The episode ended before the task was given.' : markCode(reset.instruction)}</p>
  </section>`;
}

/** Shows text between backticks as code; everything else is unchanged. */
function markCode(text: string): Html[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
}

/** Output of the tests, collapsed. */
export function renderTestOutput({ grade }: Pick<EpisodeHistory, 'grade'>): Html | null {
  if (grade === null || grade.log.trim() === '') return null;
  return markup`<details class="log">
    <summary>Test output</summary>
    <pre tabindex="0">${grade.log}</pre>
  </details>`;
}

/** Names and figures for comparing runs. */
export function renderFigures({
  start,
  reset,
  steps,
  restores,
  result,
}: Pick<EpisodeHistory, 'start' | 'reset' | 'steps' | 'restores' | 'result'>): Html {
  const middle = computeMedian(steps.map((step) => step.timing.totalMs));
  const { startMs, stepsMs, gradeMs, totalMs } = result.durations;
  const rows: readonly (readonly [string, string | null])[] = [
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
  const known = rows.filter(([, value]) => value !== null);
  return markup`<section class="figures" aria-labelledby="figures">
    <h2 id="figures">Figures</h2>
    <dl>
      ${known.map(
        ([name, value]) =>
          markup`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** The total usage of its model. A sum with an unknown part is unknown. */
function listModelUsage({ asked }: RecordedResult): [string, string][] {
  if (asked === null) return [];
  const { turns, costUsd, modelMs } = asked;
  return [
    [
      'Model',
      `${formatCount(turns, 'turn')}, ${modelMs === null ? 'time unknown' : formatDuration(modelMs)}`,
    ],
    ['Tokens', formatTokens(asked).replace('tokens: ', '')],
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

function describeFork({
  session,
  step,
  checkpoint,
}: NonNullable<EpisodeHistory['start']['forkedFrom']>): string {
  return `${session}${step === null ? '' : `, step ${step}`}, checkpoint ${checkpoint}`;
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

/**
 * Services that died, refused connections, limits that were hit, and errors, in order of time.
 */
export function renderIncidents(
  history: Pick<EpisodeHistory, 'steps' | 'services' | 'refusals' | 'usages' | 'errors'>,
): Html | null {
  const { steps, services, refusals, usages, errors } = history;
  const inSteps = steps.flatMap((step) =>
    step.services.map((service) => ({ service, ms: step.ms, at: `Step ${step.step}` })),
  );
  const between = services.map(({ service, ms }) => ({ service, ms, at: 'Between steps' }));
  const died = [...inSteps, ...between]
    .filter(({ service }) => isIncident(service))
    .map(({ service, ms, at }) => ({ ms, what: `${at}: ${describeIncident(service)}` }));
  const met = errors.map((error) => ({ ms: error.ms, what: describeError(error) }));
  const limits = usages
    .filter(({ hit }) => hit.length > 0)
    .map((event) => ({ ms: event.ms, what: describeHitLimit(event) }));
  const refused = refusals.map((refusal) => ({ ms: refusal.ms, what: describeRefusal(refusal) }));
  const all = [...died, ...refused, ...limits, ...met].sort((a, b) => a.ms - b.ms);
  if (all.length === 0) return null;
  return markup`<section class="incidents" aria-labelledby="incidents">
    <h2 id="incidents">Incidents</h2>
    <ol>
      ${all.map(({ ms, what }) => markup`<li><span class="quiet">${formatDuration(ms)}</span> <span class="what">${what}</span></li>`)}
    </ol>
  </section>`;
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

function describeError({ message, code, causes, help }: EventOf<'error'>): string {
  const because = causes.map((cause) => `\nbecause: ${cause}`).join('');
  return `${message} (${code})${because}${help === undefined ? '' : `\n${help}`}`;
}
