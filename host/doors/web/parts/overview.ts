import { formatCount, formatDollars, formatDuration } from '../../../../bridge/text/index.ts';
import type { RecordedCheck, RecordedTurn } from '../../../run/index.ts';
import { patchText } from './diff-text.ts';
import { html, type Html } from './html.ts';
import type { EpisodeOverview, ShownResult } from './overview-data.ts';
import { describeResult, formatTokens } from './result-words.ts';

/** The task and the result. */
export function episodeHead({ instruction, result }: EpisodeOverview): Html {
  return html`<div class="overview">
    <section class="instruction" aria-labelledby="instruction">
      <h2 id="instruction">Instruction</h2>
      <p>${instruction === null ? 'The episode ended before the task was given.' : markCode(instruction)}</p>
    </section>
    ${resultBanner(result)}
  </div>`;
}

/** Shows text between backticks as code; everything else is unchanged. */
function markCode(text: string): (Html | string)[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** The score, with each check and its reason. */
function resultBanner(result: ShownResult): Html {
  const { tone, word, score, ended } = describeResult(result);
  const suspect = ['This score is suspect: repeat the episode.', ...result.doubts].join('\n');
  return html`<section class="result ${tone}" aria-labelledby="result">
    <div class="score">
      <h2 id="result">${word}</h2>
      ${score !== null && html`<p class="number"><span>Score</span> ${score}</p>`}
    </div>
    <p>
      ${ended} after ${formatCount(result.steps, 'step')}, ${formatDuration(result.durations.totalMs)} in
      total.
    </p>
    ${result.ended?.reason !== undefined && html`<p class="reason">${result.ended.reason}</p>`}
    ${result.rewardTrustworthy === false && html`<p class="reason">${suspect}</p>`}
    ${result.trust !== null && html`<p class="reason">Trust: ${result.trust}.</p>`}
    ${
      result.checks.length > 0 &&
      html`<ul class="checks">
        ${result.checks.map(checkItem)}
      </ul>`
    }
  </section>`;
}

function checkItem({ name, passed, why }: RecordedCheck): Html {
  const [tone, sign, word] =
    passed === null
      ? ['none', '–', 'not measured']
      : passed
        ? ['good', '✓', 'passed']
        : ['bad', '✕', 'failed'];
  return html`<li class="${tone}">
    <span class="sign" role="img" aria-label="${word}">${sign}</span>
    <span><b>${name}</b>${passed === null && html` <i>${word}</i>`}<span class="why">${why}</span></span>
  </li>`;
}

/**
 * What there is besides the head and the steps.
 * @param patchFile address of the whole patch; null without one
 */
export function episodeRest(overview: EpisodeOverview, patchFile: string | null = null): Html {
  const { lastTurn, incidents, log, figures } = overview;
  return html`${
    lastTurn !== null &&
    html`<section class="last-turn" aria-labelledby="last-turn">
      <h2 id="last-turn">The end</h2>
      <p class="quiet">The agent finished after ${formatDuration(lastTurn.ms)}.</p>
      ${turnWords(lastTurn.turn)}
    </section>`
  }
  ${
    incidents.length > 0 &&
    html`<section class="incidents" aria-labelledby="incidents">
      <h2 id="incidents">Incidents</h2>
      <ol>
        ${incidents.map(
          ({ ms, what }) =>
            html`<li><span class="quiet">${formatDuration(ms)}</span> <span class="what">${what}</span></li>`,
        )}
      </ol>
    </section>`
  }
  ${
    log.trim() !== '' &&
    html`<details class="log">
      <summary>Test output</summary>
      <pre tabindex="0">${log}</pre>
    </details>`
  }
  ${workChanges(overview, patchFile)} ${figures !== null && figureList(figures)}`;
}

function figureList(figures: NonNullable<EpisodeOverview['figures']>): Html {
  return html`<section class="figures" aria-labelledby="figures">
    <h2 id="figures">Figures</h2>
    <dl>
      ${figures.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** The agent's message in a turn, and the usage of its model. */
export function turnWords(turn: RecordedTurn): Html {
  const { message = '', reasoning = '' } = turn;
  const asked = describeModelUsage(turn);
  return html`${message !== '' && html`<blockquote>${message}</blockquote>`}
  ${
    reasoning !== '' &&
    html`<details class="reasoning">
      <summary>Reasoning</summary>
      <pre tabindex="0">${reasoning}</pre>
    </details>`
  }
  ${asked !== null && html`<p class="quiet">${asked}</p>`}`;
}

/** Null if no model was asked. */
function describeModelUsage(turn: RecordedTurn): string | null {
  const { llmCalls = 0, promptTokens, completionTokens, costUsd, modelMs, tries = 1, model } = turn;
  const known = [promptTokens, completionTokens, costUsd, modelMs].some((one) => one !== undefined);
  if (llmCalls === 0 && !known) return null;
  const parts = [
    ...(model === undefined ? [] : [model]),
    `tokens: ${formatTokens(turn)}`,
    costUsd === undefined ? 'cost unknown' : formatDollars(costUsd),
    ...(modelMs === undefined ? [] : [`${formatDuration(modelMs)} for the answer`]),
    ...(tries > 1 ? [formatCount(tries, 'request')] : []),
  ];
  return parts.join(' · ');
}

/** The agent's changes to its workspace, collapsed. */
function workChanges({ changes, patch }: EpisodeOverview, file: string | null): Html | null {
  if (changes === null) return null;
  const { files, added, removed, problem, leadOut } = changes;
  if (problem !== undefined)
    return html`<p class="log quiet">What the agent changed in its workspace is not known: ${problem}</p>`;
  if (files === 0) return html`<p class="log quiet">The agent changed no file of its workspace.</p>`;
  const { text, isWhole } = patch ?? { text: 'The patch can not be read.', isWhole: true };
  return html`<details class="log patch">
    <summary>
      What the agent changed in its workspace: ${formatCount(files, 'file')}, +${added} −${removed}
    </summary>
    ${leadOut.length > 0 && html`<p>Links that lead out of the workspace: ${leadOut.join(', ')}</p>`}
    ${patchText(text)} ${!isWhole && html`<p class="quiet">The rest is not shown.</p>`}
    ${file !== null && html`<p><a href="${file}">${file}</a></p>`}
  </details>`;
}
