import type { InputMessage, Modifier } from './messages.ts';

const isMac = /^Mac|^iP/.test(navigator.platform);
/** The maximum that the server takes, in UTF-16 code units. */
const longestPaste = 1_000_000;

const modifierNames: ReadonlyMap<string, Modifier> = new Map([
  ['Shift', 'shift'],
  ['Control', 'ctrl'],
  ['Alt', 'alt'],
  // Command on a Mac is Control in the sandbox.
  ['Meta', isMac ? 'ctrl' : 'meta'],
]);

interface KeyboardInputOptions {
  readonly isDriving: () => boolean;
  readonly send: (message: InputMessage) => void;
  readonly onNotice: (text: string) => void;
  /** The person wants the keyboard back. */
  readonly onLeave: () => void;
}

/** A person's keyboard, input methods and clipboard, while they drive and the screen has the focus. */
export class KeyboardInput {
  readonly #options: KeyboardInputOptions;
  /** Held by buttons of the page, for the next key. */
  readonly #sticky = new Set<Modifier>();
  /** Whether Shift was held at the last paste, as in terminals: the paste event does not say. */
  #shift = false;

  constructor(options: KeyboardInputOptions) {
    this.#options = options;
    window.addEventListener('blur', () => this.release());
    document.addEventListener('visibilitychange', () => this.release());
  }

  /** @param field has the focus while a person types into the sandbox; nothing stays in it */
  listen(field: HTMLTextAreaElement): void {
    field.addEventListener('keydown', (event) => this.#down(event));
    field.addEventListener('keyup', (event) => this.#up(event));
    field.addEventListener('input', (event) => this.#input(event, field));
    field.addEventListener('compositionend', ({ data }) => {
      field.value = '';
      this.#type(data);
    });
    field.addEventListener('paste', (event) => this.#paste(event));
    field.addEventListener('blur', () => this.release());
    field.addEventListener('focus', () => document.body.classList.add('typing'));
    field.addEventListener('blur', () => document.body.classList.remove('typing'));
  }

  /** Releases keys that the person may have released elsewhere. */
  release(): void {
    this.#sticky.clear();
    if (this.#options.isDriving()) this.#options.send({ type: 'release' });
  }

  /** Toggles whether a modifier is held for the next key. Returns whether it is held. */
  toggle(modifier: Modifier): boolean {
    if (!this.#sticky.delete(modifier)) this.#sticky.add(modifier);
    return this.#sticky.has(modifier);
  }

  holds(modifier: Modifier): boolean {
    return this.#sticky.has(modifier);
  }

  /** Presses a key that a browser keeps for itself, or that a keyboard lacks. */
  strike(key: string, held: readonly Modifier[] = []): void {
    const all = [...new Set([...held, ...this.#sticky])];
    this.#options.send({ type: 'key', key, code: '', held: all, altGraph: false });
    // They were held for this key only.
    this.#options.send({ type: 'release' });
    this.#sticky.clear();
  }

  #down(event: KeyboardEvent): void {
    const { isDriving, onLeave, send } = this.#options;
    if (!isDriving()) return;
    if (event.ctrlKey && event.altKey && event.code === 'KeyG') {
      event.preventDefault();
      return onLeave();
    }
    // The result of an input method comes as text.
    if (event.isComposing || event.keyCode === 229 || isUnfinishedKey(event.key)) return;
    const held = this.#held(event);
    // The browser pastes into the field: only this way does a page get the clipboard without a prompt.
    if (isShortcut(event, held, 'v')) {
      this.#shift = event.shiftKey;
      return;
    }
    event.preventDefault();
    const modifier = modifierNames.get(event.key);
    if (modifier) send({ type: 'modifier', modifier, down: true });
    else if (isShortcut(event, held, 'c') || isShortcut(event, held, 'x'))
      send({ type: 'copy', cut: event.key.toLowerCase() === 'x', shift: event.shiftKey });
    else if (event.key !== 'AltGraph') this.#stroke(event, held);
  }

  #stroke(event: KeyboardEvent, held: readonly Modifier[]): void {
    const altGraph = event.getModifierState('AltGraph');
    this.#options.send({ type: 'key', key: event.key, code: event.code, held, altGraph });
    if (this.#sticky.size > 0) this.release();
  }

  #up(event: KeyboardEvent): void {
    const modifier = modifierNames.get(event.key);
    if (!modifier || !this.#options.isDriving()) return;
    event.preventDefault();
    this.#options.send({ type: 'modifier', modifier, down: false });
  }

  #held(event: KeyboardEvent): Modifier[] {
    const held = new Set(this.#sticky);
    if (event.shiftKey) held.add('shift');
    if (event.ctrlKey || (isMac && event.metaKey)) held.add('ctrl');
    if (event.altKey) held.add('alt');
    if (event.metaKey && !isMac) held.add('meta');
    return [...held];
  }

  /** Input that is not a key: a touch keyboard's text, a dead key's sign. */
  #input(event: InputEvent, field: HTMLTextAreaElement): void {
    const { send } = this.#options;
    if (event.isComposing) return;
    if (event.inputType === 'insertLineBreak')
      send({ type: 'key', key: 'Enter', code: '', held: [], altGraph: false });
    else if (event.inputType === 'insertText') this.#type(event.data ?? '');
    field.value = '';
  }

  #type(text: string): void {
    if (text === '' || !this.#options.isDriving()) return;
    this.#options.send({ type: 'text', text });
  }

  #paste(event: ClipboardEvent): void {
    const { isDriving, onNotice, send } = this.#options;
    event.preventDefault();
    if (!isDriving()) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text === '') onNotice('Nothing was pasted: your clipboard has no text.');
    else if (text.length > longestPaste)
      onNotice(`Nothing was pasted: ${text.length} characters are more than ${longestPaste}.`);
    else send({ type: 'paste', text, shift: this.#shift });
  }
}

function isUnfinishedKey(key: string): boolean {
  return key === 'Dead' || key === 'Process' || key === 'Unidentified' || key === 'Compose';
}

/** Control, or Command on a Mac, with a letter, and nothing else but Shift. */
function isShortcut(event: KeyboardEvent, held: readonly Modifier[], letter: string): boolean {
  if (event.key.toLowerCase() !== letter || event.getModifierState('AltGraph')) return false;
  return held.includes('ctrl') && !held.includes('alt') && !held.includes('meta');
}
