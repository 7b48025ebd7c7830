import { dollarsText } from '../lib/index.ts';
import {
  passedWord,
  recordFiles,
  type EpisodeHistory,
  type RecordedCheck,
  type Result,
} from '../record/index.ts';
import { count, duration, median, moment } from './format.ts';
import { markup, type Html } from './markup.ts';
import { tokensText } from './turn.ts';
import { verdictOf } from './verdict.ts';

/** The top of the page: task, agent, time. */
export function masthead({ start, video }: Pick<EpisodeHistory, 'start' | 'video'>): Html {
  const { agent, task } = start;
  const who = agent.model === undefined ? agent.name : `${agent.name} with ${agent.model}`;
  return markup`<header class="masthead">
    <p class="brand">Programming with Pixels</p>
    <h1>${task ?? 'Free session'}</h1>
    <p class="quiet">${who} · ${moment(start.at)}${video !== null && videoLink(video)}</p>
  </header>`;
}

/** A link to the video next to the report. */
function videoLink({ failure }: NonNullable<EpisodeHistory['video']>): Html {
  const cut = failure === null ? '' : `, cut short: ${failure}`;
  return markup` · <a href="${recordFiles.video}">video</a>${cut}`;
}

/** The fields of a result that are shown. */
export type Shown = Pick<
  Result,
  'reward' | 'rewardTrustworthy' | 'doubts' | 'trust' | 'checks' | 'ended' | 'steps'
> & {
  readonly durations: Pick<Result['durations'], 'totalMs'>;
};

/** The score, with each check and its reason. */
export function resultBanner(result: Shown): Html {
  const { tone, word, score, ended } = verdictOf(result);
  return markup`<section class="result ${tone}" aria-labelledby="result">
    <div class="score">
      <h2 id="result">${word}</h2>
      ${score !== null && markup`<p class="number"><span>Score</span> ${score}</p>`}
    </div>
    <p>${ended} after ${count(result.steps, 'step')}, ${duration(result.durations.totalMs)} in total.</p>
    ${result.ended?.reason !== undefined && markup`<p class="reason">${result.ended.reason}</p>`}
    ${
      result.rewardTrustworthy === false &&
      markup`<p class="reason">${['This score is suspect: repeat the episode.', ...result.doubts].join('\n')}</p>`
    }
    ${result.trust !== null && markup`<p class="reason">Trust: ${result.trust}.</p>`}
    ${
      result.checks.length > 0 &&
      markup`<ul class="checks">
        ${result.checks.map(checkItem)}
      </ul>`
    }
  </section>`;
}

function checkItem({ name, passed, why }: RecordedCheck): Html {
  const [tone, sign] = passed === null ? ['none', '–'] : passed ? ['good', '✓'] : ['bad', '✕'];
  const word = passedWord(passed);
  return markup`<li class="${tone}">
    <span class="sign" role="img" aria-label="${word}">${sign}</span>
    <span><b>${name}</b>${passed === null && markup` <i>${word}</i>`}<span class="why">${why}</span></span>
  </li>`;
}

export function instruction({ reset }: Pick<EpisodeHistory, 'reset'>): Html {
  return markup`<section class="instruction" aria-labelledby="instruction">
    <h2 id="instruction">Instruction</h2>
    <p>${reset === null ? 'The episode ended before the task was given.' : withCode(reset.instruction)}</p>
  </section>`;
}

/** Shows text between backticks as code; everything else is unchanged. */
function withCode(text: string): Html[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
}

/** Output of the tests, collapsed. */
export function testOutput({ grade }: Pick<EpisodeHistory, 'grade'>): Html | null {
  if (grade === null || grade.log.trim() === '') return null;
  return markup`<details class="log">
    <summary>Test output</summary>
    <pre tabindex="0">${grade.log}</pre>
  </details>`;
}

/** Names and figures for comparing runs. */
export function figures({
  start,
  reset,
  steps,
  restores,
  result,
}: Pick<EpisodeHistory, 'start' | 'reset' | 'steps' | 'restores' | 'result'>): Html {
  const middle = median(steps.map((step) => step.timing.totalMs));
  const { startMs, stepsMs, gradeMs, totalMs } = result.durations;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Total time', duration(totalMs)],
    ['Sandbox start', startMs === null ? null : `${duration(startMs)}${howText(reset)}`],
    ['Steps', `${result.steps}, ${duration(stepsMs)} in total`],
    ...askedRows(result),
    ['Not played', suppressedText(result)],
    ['Branches', restores.length === 0 ? null : `${restores.length} besides the first`],
    ['Forked from', start.forkedFrom === undefined ? null : forkText(start.forkedFrom)],
    ['Median step', middle === null ? null : duration(middle)],
    ['Grading', gradeMs === null ? null : duration(gradeMs)],
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
function askedRows({ asked }: Result): [string, string][] {
  if (asked === null) return [];
  const { turns, costUsd, modelMs } = asked;
  return [
    ['Model', `${count(turns, 'turn')}, ${modelMs === null ? 'time unknown' : duration(modelMs)}`],
    ['Tokens', tokensText(asked).replace('tokens: ', '')],
    ['Cost', dollarsText(costUsd)],
  ];
}

function suppressedText({ suppressed }: Result): string | null {
  if (suppressed === null) return null;
  const then = {
    repeated: 'repeated within three steps',
    other: 'not repeated',
    nothing: 'no step followed',
  };
  return `an action of step ${suppressed.step}, on purpose; ${then[suppressed.then]}`;
}

/** How the sandbox was started, if the record has it. */
function howText(reset: EpisodeHistory['reset']): string {
  const origins = {
    ...{ cold: ', booted', golden: ', from a golden checkpoint' },
    ...{ fork: ', forked', joined: ', running already' },
  };
  return reset?.from === undefined ? '' : origins[reset.from];
}

function forkText({ session, step, checkpoint }: NonNullable<EpisodeHistory['start']['forkedFrom']>): string {
  return `${session}${step === null ? '' : `, step ${step}`}, checkpoint ${checkpoint}`;
}
