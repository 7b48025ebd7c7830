import type { PageOptions } from '../server.ts';
import { readStyles } from '../../../read/index.ts';

/** Keys that browsers keep for themselves, or that touch keyboards lack. */
const extraKeys: readonly (readonly [label: string, key: string, held: string])[] = [
  ['Esc', 'Escape', ''],
  ['Tab', 'Tab', ''],
  ['Backspace', 'Backspace', ''],
  ['←', 'ArrowLeft', ''],
  ['↑', 'ArrowUp', ''],
  ['↓', 'ArrowDown', ''],
  ['→', 'ArrowRight', ''],
  ['F1', 'F1', ''],
  ['F11', 'F11', ''],
  ['Ctrl+W', 'w', 'ctrl'],
  ['Ctrl+N', 'n', 'ctrl'],
  ['Ctrl+T', 't', 'ctrl'],
  ['Ctrl+Tab', 'Tab', 'ctrl'],
  ['Ctrl+Shift+T', 'T', 'ctrl shift'],
  ['Ctrl+Shift+P', 'P', 'ctrl shift'],
  ['Alt+F4', 'F4', 'alt'],
];
const arrowNames: ReadonlyMap<string, string> = new Map([
  ['←', 'Left'],
  ['↑', 'Up'],
  ['↓', 'Down'],
  ['→', 'Right'],
]);
const modifierKeys = [
  ['Ctrl', 'ctrl'],
  ['Alt', 'alt'],
  ['Shift', 'shift'],
  ['Super', 'meta'],
];

const sideTabs = [
  ['chat', 'Questions'],
  ['steps', 'Steps'],
  ['state', 'State'],
  ['list', 'Marks'],
] as const;

/**
 * The page itself contains nothing from the sandbox: the script adds that as text.
 * @param script a text without an end tag
 */
export function renderLivePage({ name, nonce }: PageOptions, script: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>${readStyles('host/doors/serve/live/live.css')}</style>
<body data-kind="watch" data-mode="watch">
<header>
  <h1>${name}</h1>
  <div class="say" role="status" aria-label="Who acts"><strong id="mode"></strong><span id="detail"></span></div>
  <div class="acts">
    <button type="button" id="take" class="main" hidden>Take control</button>
    <button type="button" id="give" class="main" hidden>Give back</button>
    <button type="button" id="pause" hidden>Pause the agent</button>
    <button type="button" id="ask" hidden>Ask for control</button>
    <button type="button" id="end" hidden>End the session</button>
  </div>
  <div class="tools">
    <p id="status" role="status" aria-label="Connection" data-state="waiting">connecting</p>
    <label class="with-side"><input type="checkbox" id="overlay"> Marks <kbd>m</kbd></label>
    <button type="button" id="sound" aria-pressed="false" hidden>Sound</button>
    <button type="button" id="fit" aria-pressed="false">1:1</button>
    <button type="button" id="full" aria-pressed="false">Full screen</button>
  </div>
</header>
<section id="driving" aria-label="While you have control" hidden>
  <label><input type="checkbox" id="let-watch"> Agents may look while you drive</label>
  <label><input type="checkbox" id="private"> Private: record that I type, not what</label>
  <details class="more"><summary>Keys</summary><div class="keys" role="group" aria-label="Keys for the sandbox">
    ${modifierKeys.map(([label, key]) => `<button type="button" data-hold="${key}" aria-pressed="false">${label}</button>`).join('\n    ')}
    ${extraKeys.map(([label, key, held]) => `<button type="button" data-key="${key}" data-held="${held}"${renderKeyLabel(label)}>${label}</button>`).join('\n    ')}
  </div></details>
  <ul id="requests" aria-label="Requests for control"></ul>
</section>
<main>
  <section class="screen" aria-label="Screen">
    <div id="viewport" tabindex="-1"><div id="stage">
      <canvas id="screen" role="img" aria-label="The screen, live"></canvas>
      <div id="marks" aria-hidden="true"></div>
      <textarea id="keys" aria-label="Keyboard of the sandbox" aria-describedby="keys-help" autocapitalize="off" autocomplete="off" spellcheck="false"></textarea>
      <p id="over" role="status" hidden></p>
    </div></div>
    <p id="keys-help">Click the screen to type into the sandbox. <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>G</kbd> gives you the keyboard back.</p>
    <p id="notice" role="alert" hidden></p>
  </section>
  <aside class="with-side" aria-label="What goes on">
    <p id="focus"></p>
    <div role="tablist" id="tabs" aria-label="What goes on">
      ${sideTabs.map(([id, label], i) => `<button type="button" role="tab" id="tab-${id}" aria-controls="${id}" aria-selected="${i === 0}" tabindex="${i === 0 ? 0 : -1}"><b id="tab-${id}-label">${label}</b> <span id="${id}-count"></span></button>`).join('\n      ')}
    </div>
    <input type="search" id="search" placeholder="Search  ( / )" aria-label="Search state, steps and marks" hidden>
    <div id="chat" role="tabpanel" aria-labelledby="tab-chat" tabindex="0">
      <p id="brief" hidden></p>
      <ol id="chat-list" aria-live="polite" aria-label="Questions"></ol>
      <p class="none" id="chat-none">No questions. When an agent asks something, it is shown here, and the agent waits for your answer.</p>
      <form id="say" hidden>
        <textarea id="say-text" rows="2" maxlength="10000" aria-label="Message to the agent" placeholder="Message to the agent"></textarea>
        <div class="buttons">
          <button type="submit" class="main">Send</button>
          <button type="button" id="stop" hidden>Stop</button>
        </div>
      </form>
    </div>
    <div id="steps" role="tabpanel" aria-labelledby="tab-steps" tabindex="0" hidden>
      <ol id="steps-list" aria-label="Steps, the newest first"></ol>
      <p class="none" id="steps-none">No steps so far.</p>
    </div>
    <div id="state" role="tabpanel" aria-labelledby="tab-state" tabindex="0" hidden></div>
    <div id="list" role="tabpanel" aria-labelledby="tab-list" tabindex="0" hidden>
      <div id="list-says"></div>
      <div id="list-rows" role="list" aria-label="Marks"></div>
    </div>
  </aside>
</main>
<script nonce="${nonce}">${script}</script>
</html>
`;
}

function renderKeyLabel(label: string): string {
  const name = arrowNames.get(label);
  return name === undefined ? '' : ` aria-label="${name}"`;
}
