import { readReportStyles, readStyles } from '../../read/index.ts';
import type { PageOptions } from '../serve/index.ts';

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

/**
 * The page itself contains nothing from a record: the script adds that as text, and as HTML that this server has escaped.
 * @param script a text without an end tag
 */
export function renderStudiesPage({ name, nonce }: PageOptions, script: string): string {
  const report = readReportStyles('tokens', 'elements', 'summary', 'timeline', 'stage');
  const styles = report + readStyles('host/doors/view/view.css');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body data-view="none">
<header class="top">
  <a id="home" class="brand" href="#">Programming with Pixels</a>
  <span id="folder" class="quiet">${name}</span>
  <p id="status" class="quiet" role="status" aria-label="Progress"></p>
  <button type="button" id="keys-open">Keys <kbd aria-hidden="true">?</kbd></button>
</header>
<form id="filter" role="search" aria-label="Filter">
  <label class="of-all">Result <select id="by-state"></select></label>
  <label class="of-all">What went wrong <select id="by-mode"></select></label>
  <label>Effect <select id="by-effect"></select></label>
  <label>Tool <select id="by-tool"></select></label>
  <label>Mark <input type="search" id="by-mark" autocomplete="off" spellcheck="false" placeholder="name or number"></label>
  <label>Text <input type="search" id="by-text" autocomplete="off" spellcheck="false" placeholder="words, actions, output"></label>
  <span class="matches"><output id="matches"></output>
    <button type="button" id="previous" aria-label="Previous match" hidden>↑</button>
    <button type="button" id="next" aria-label="Next match" hidden>↓</button>
    <button type="button" id="clear" hidden>Clear</button></span>
</form>
<p id="trouble" class="alert" role="alert" hidden></p>
<main id="main" tabindex="-1">
  <section id="all" aria-label="All attempts" hidden></section>
  <section id="one" aria-label="Attempt" hidden></section>
  <section id="two" aria-label="Two attempts side by side" hidden></section>
</main>
<dialog id="full" aria-label="Screen in full size"><button type="button" class="close" aria-label="Close">✕</button><div class="scroller" tabindex="0"></div></dialog>
<dialog id="keys" aria-labelledby="keys-title">
  <h2 id="keys-title">Keys</h2>
  <dl>${keyHelp.map(([names, what]) => `<div><dt>${names.map((key) => `<kbd>${key}</kbd>`).join(' ')}</dt><dd>${what}</dd></div>`).join('')}</dl>
  <form method="dialog"><button>Close</button></form>
</dialog>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}
