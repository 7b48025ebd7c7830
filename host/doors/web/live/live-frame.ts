import type { AgentStep } from '../../../../bridge/protocol/index.ts';
import { html, type Html } from '../parts/index.ts';
import type { ChatPanel } from './chat.ts';
import type { ShownControl } from './control.ts';
import { findMarks, markFrames, markList } from './marks.ts';
import type { ControlView, Hello, LiveLook, Modifier, ToServer } from './messages.ts';
import { type StatePanel, stepsPanel } from './side-panels.ts';

export const pageTabs = ['chat', 'steps', 'state', 'list'] as const;
export type PageTab = (typeof pageTabs)[number];

/** What the page shows. */
export interface LivePageView {
  readonly name: string;
  readonly hello: Hello | null;
  readonly hands: ControlView | null;
  readonly control: ShownControl;
  readonly status: { readonly state: 'waiting' | 'live' | 'trouble' | 'ended'; readonly words: string };
  /** Why there is no screen to see; empty if there is one. */
  readonly over: string;
  /** A failure; empty for none. */
  readonly notice: string;
  readonly tab: PageTab;
  /** In small letters. */
  readonly query: string;
  readonly showsMarks: boolean;
  readonly look: LiveLook | null;
  readonly steps: readonly AgentStep[];
  readonly chat: ChatPanel;
  readonly state: StatePanel;
}

/** What a person can do on the page, besides driving. */
export interface LiveActs {
  readonly send: (message: ToServer) => void;
  readonly choose: (tab: PageTab) => void;
  readonly search: (text: string) => void;
  readonly showMarks: (on: boolean) => void;
  readonly strike: (key: string, held: readonly Modifier[]) => void;
  readonly toggle: (modifier: Modifier) => void;
  readonly holds: (modifier: Modifier) => boolean;
}

/** Keys that browsers keep for themselves, or that touch keyboards lack. */
const extraKeys: readonly (readonly [
  label: string,
  key: string,
  held: readonly Modifier[],
  name?: string,
])[] = [
  ['Esc', 'Escape', []],
  ['Tab', 'Tab', []],
  ['Backspace', 'Backspace', []],
  ['←', 'ArrowLeft', [], 'Left'],
  ['↑', 'ArrowUp', [], 'Up'],
  ['↓', 'ArrowDown', [], 'Down'],
  ['→', 'ArrowRight', [], 'Right'],
  ['F1', 'F1', []],
  ['F11', 'F11', []],
  ['Ctrl+W', 'w', ['ctrl']],
  ['Ctrl+N', 'n', ['ctrl']],
  ['Ctrl+T', 't', ['ctrl']],
  ['Ctrl+Tab', 'Tab', ['ctrl']],
  ['Ctrl+Shift+T', 'T', ['ctrl', 'shift']],
  ['Ctrl+Shift+P', 'P', ['ctrl', 'shift']],
  ['Alt+F4', 'F4', ['alt']],
];
const modifierKeys = [
  ['Ctrl', 'ctrl'],
  ['Alt', 'alt'],
  ['Shift', 'shift'],
  ['Super', 'meta'],
] as const;

/** The page. */
export function liveFrame(view: LivePageView, acts: LiveActs): Html {
  const { look, query, hello, over, notice } = view;
  const marks = look ? findMarks(look, query) : [];
  return html`${pageHeader(view, acts)} ${drivingBar(view, acts)}
    <main>
      <section class="screen" aria-label="Screen">
        <div id="viewport" tabindex="-1">
          <div id="stage" style="--width: ${hello?.width ?? 16}; --height: ${hello?.height ?? 10}">
            <canvas
              id="screen"
              role="img"
              aria-label="${hello ? `The screen of ${hello.title}` : 'The screen'}, live"
            ></canvas>
            <div id="marks" aria-hidden="true">${look && markFrames(marks, look)}</div>
            <textarea
              id="keys"
              aria-label="Keyboard of the sandbox"
              aria-describedby="keys-help"
              autocapitalize="off"
              autocomplete="off"
              spellcheck="false"
            ></textarea>
            <p id="over" role="status" ?hidden="${over === ''}">${over}</p>
          </div>
        </div>
        <p id="keys-help">
          Click the screen to type into the sandbox. <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>G</kbd> gives you the
          keyboard back.
        </p>
        <p id="notice" role="alert" ?hidden="${notice === ''}">${notice}</p>
      </section>
      ${sidePanels(view, acts, look && markList(marks, look, query))}
    </main>`;
}

function pageHeader(
  { name, control, hello, status, showsMarks }: LivePageView,
  { send, showMarks }: LiveActs,
): Html {
  const { mode, title, detail, hasAsked } = control;
  /** @param text null if it is not shown */
  const act = (id: string, label: string, text: string | null, message: ToServer, isMain = false) =>
    html`<button
      type="button"
      id="${id}"
      class="${isMain && 'main'}"
      ?hidden="${text === null}"
      @click="${() => send(message)}"
    >
      ${text ?? label}
    </button>`;
  return html`<header>
    <h1>${name}</h1>
    <div class="say" role="status" aria-label="Who acts">
      <strong id="mode">${title}</strong><span id="detail" title="${detail}">${detail}</span>
    </div>
    <div class="acts">
      ${act('take', 'Take control', control.take, { type: 'take', force: mode === 'other', pause: false }, true)}
      ${act('give', 'Give back', control.give, { type: 'give' }, true)}
      ${act('pause', 'Pause the agent', control.pause, { type: 'take', force: false, pause: true })}
      ${act('ask', 'Ask for control', control.ask, hasAsked ? { type: 'withdraw' } : { type: 'ask', why: '' })}
      ${act('end', 'End the session', hello?.mayEnd ? 'End the session' : null, { type: 'end' })}
    </div>
    <div class="tools">
      <p id="status" role="status" aria-label="Connection" data-state="${status.state}">${status.words}</p>
      <label class="with-side"
        ><input
          type="checkbox"
          id="overlay"
          .checked="${showsMarks}"
          @change="${({ target }: Event) => showMarks((target as HTMLInputElement).checked)}"
        />
        Marks <kbd>m</kbd></label
      >
      <button type="button" id="sound" aria-pressed="false" hidden>Sound</button>
      <button type="button" id="fit" aria-pressed="false">1:1</button>
      <button type="button" id="full" aria-pressed="false">Full screen</button>
    </div>
  </header>`;
}

function drivingBar({ control, hands }: LivePageView, { send, strike, toggle, holds }: LiveActs): Html {
  const choice = (type: 'let-watch' | 'private', isOn: boolean | undefined, text: string) =>
    html`<label
      ><input
        type="checkbox"
        id="${type}"
        .checked="${isOn ?? false}"
        @change="${({ target }: Event) => send({ type, on: (target as HTMLInputElement).checked })}"
      />
      ${text}</label
    >`;
  return html`<section id="driving" aria-label="While you have control" ?hidden="${!control.isDriving}">
    ${choice('let-watch', hands?.holder?.letsWatch, 'Agents may look while you drive')}
    ${choice('private', hands?.isPrivate, 'Private: record that I type, not what')}
    <details class="more">
      <summary>Keys</summary>
      <div class="keys" role="group" aria-label="Keys for the sandbox">
        ${modifierKeys.map(
          ([label, key]) =>
            html`<button
              type="button"
              data-hold="${key}"
              aria-pressed="${String(holds(key))}"
              @click="${() => toggle(key)}"
            >
              ${label}
            </button>`,
        )}
        ${extraKeys.map(
          ([label, key, held, spoken]) =>
            html`<button
              type="button"
              data-key="${key}"
              aria-label="${spoken}"
              @click="${() => strike(key, held)}"
            >
              ${label}
            </button>`,
        )}
      </div>
    </details>
    <ul id="requests" aria-label="Requests for control">
      ${control.requests.map((text) => html`<li>${text}</li>`)}
    </ul>
  </section>`;
}

function sidePanels(view: LivePageView, acts: LiveActs, list: Html | null): Html {
  const { look, hello, chat, state, steps, query, tab } = view;
  const focus = look?.seen.focus;
  const where = focus ? ` · focus on ${focus.role} ${JSON.stringify(focus.name)}` : '';
  const all = look?.seen.marks.length ?? 0;
  const panels: Readonly<
    Record<PageTab, readonly [label: string, count: string | number, panel: Html | Html[] | null]>
  > = {
    chat: [chat.title, chat.waiting > 0 ? chat.waiting : '', chat.panel(hello)],
    steps: ['Steps', steps.length > 0 ? steps.length : '', stepsPanel(steps, query)],
    state: ['State', query === '' ? '' : state.count(query), state.panel(query)],
    list: ['Marks', look && query !== '' ? `${findMarks(look, query).length} of ${all}` : all, list],
  };
  return html`<aside class="with-side" aria-label="What goes on">
    <p id="focus">${look && look.seen.title + where}</p>
    <div
      role="tablist"
      id="tabs"
      aria-label="What goes on"
      @keydown="${(event: KeyboardEvent) => walkTabs(event, acts)}"
    >
      ${pageTabs.map((id) => {
        const [label, count] = panels[id];
        return html`<button
          type="button"
          role="tab"
          id="tab-${id}"
          aria-controls="${id}"
          aria-selected="${String(id === tab)}"
          tabindex="${id === tab ? 0 : -1}"
          ?hidden="${id === 'chat' && hello?.kind !== 'pair'}"
          @click="${() => acts.choose(id)}"
        >
          <b>${label}</b> <span id="${id}-count">${count}</span>
        </button>`;
      })}
    </div>
    <input
      type="search"
      id="search"
      placeholder="Search  ( / )"
      aria-label="Search state, steps and marks"
      ?hidden="${tab === 'chat'}"
      @input="${({ target }: Event) => acts.search((target as HTMLInputElement).value)}"
    />
    ${pageTabs.map(
      (id) =>
        html`<div id="${id}" role="tabpanel" aria-labelledby="tab-${id}" tabindex="0" ?hidden="${id !== tab}">
          ${panels[id][2]}
        </div>`,
    )}
  </aside>`;
}

function walkTabs(event: KeyboardEvent, { choose }: LiveActs): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  const shown = pageTabs.filter((tab) => !document.getElementById(`tab-${tab}`)?.hidden);
  const at = shown.findIndex((tab) => `tab-${tab}` === document.activeElement?.id);
  const next = shown[(at + by + shown.length) % shown.length];
  if (next === undefined) return;
  choose(next);
  document.getElementById(`tab-${next}`)?.focus();
}
