import { fullSizeDialog, html, type Html } from '../parts/index.ts';

const keyHelp: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'filter by text'],
  [['Esc'], 'back to all attempts'],
  [['←', '→', '↑', '↓'], 'all attempts: go from one to the next; then Enter'],
  [['←', '→'], 'attempt: step through'],
  [['Home', 'End'], 'attempt: the first and the last step'],
  [['N', 'P'], 'attempt: the next and the previous step that matches the filter'],
  [['M'], 'marks'],
  [['C'], 'changed region'],
  [['F'], 'screen in full size'],
  [['V'], 'video'],
  [['O'], 'attempt: open this step as a live IDE'],
  [['[', ']'], 'the previous and the next attempt'],
  [['S'], 'choose an attempt for side by side'],
  [['L'], 'copy a link to this step'],
  [['R'], 'read the folder again'],
  [['?'], 'these keys'],
];

/** The page around the attempts. @param name of the folder */
export function studiesFrame(name: string): Html {
  return html`<header class="top">
      <a id="home" class="brand" href="#">Programming with Pixels</a>
      <span id="folder" class="quiet">${name}</span>
      <p id="status" class="quiet" role="status" aria-label="Progress"></p>
      <button type="button" id="keys-open">Keys <kbd aria-hidden="true">?</kbd></button>
    </header>
    ${filterForm()}
    <p id="trouble" class="alert" role="alert" hidden></p>
    <main id="main" tabindex="-1">
      <section id="all" aria-label="All attempts" hidden></section>
      <section id="one" aria-label="Attempt" hidden></section>
      <section id="two" aria-label="Two attempts side by side" hidden></section>
    </main>
    ${fullSizeDialog()}
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        ${keyHelp.map(
          ([keys, what]) =>
            html`<div>
              <dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
              <dd>${what}</dd>
            </div>`,
        )}
      </dl>
      <form method="dialog"><button>Close</button></form>
    </dialog>`;
}

function filterForm(): Html {
  const search = (id: string, example: string) =>
    html`<input type="search" id="${id}" autocomplete="off" spellcheck="false" placeholder="${example}" />`;
  return html`<form id="filter" role="search" aria-label="Filter">
    <label class="of-all"
      >Result
      <select id="by-state"></select
    ></label>
    <label class="of-all"
      >What went wrong
      <select id="by-mode"></select
    ></label>
    <label
      >Effect
      <select id="by-effect"></select
    ></label>
    <label
      >Tool
      <select id="by-tool"></select
    ></label>
    <label>Mark ${search('by-mark', 'name or number')}</label>
    <label>Text ${search('by-text', 'words, actions, output')}</label>
    <span class="matches"
      ><output id="matches"></output>
      <button type="button" id="previous" aria-label="Previous match" hidden>↑</button>
      <button type="button" id="next" aria-label="Next match" hidden>↓</button>
      <button type="button" id="clear" hidden>Clear</button></span
    >
  </form>`;
}
