import { html, type Html } from '../parts/index.ts';
import { endResource, requestData, requestLines } from './addresses.ts';
import type { LiveLine, OpenState } from './study-data.ts';

/** Opens the shown step as a live IDE, and lists the open ones. */
export class LiveView {
  readonly #id: string;
  readonly #draw: () => void;
  readonly #leaving = new AbortController();
  #open: readonly OpenState[] = [];
  #said = '';
  #step: number | null = null;
  #isBusy = false;
  /** The sandbox that is being ended. */
  #ending: string | null = null;

  /** @param id of the attempt @param draw draws it again */
  constructor(id: string, draw: () => void) {
    [this.#id, this.#draw] = [id, draw];
    void this.#refresh();
  }

  /** @param at name of the shown moment: only the start and steps can be opened */
  show(at: string): void {
    const [, step] = /^step-(\d+)$/.exec(at) ?? [];
    this.#step = step === undefined ? null : Number(step);
    this.#draw();
  }

  async open(): Promise<void> {
    const step = this.#step;
    if (step === null || this.#isBusy) return;
    this.#isBusy = true;
    this.#say(`Opening step ${step}…`);
    try {
      const { signal } = this.#leaving;
      const asked = requestLines<LiveLine>('live', { id: this.#id, step }, signal, 'POST');
      for await (const line of asked) await this.#take(line, step);
    } catch (error) {
      if (!this.#leaving.signal.aborted) this.#say(error instanceof Error ? error.message : String(error));
    }
    this.#isBusy = false;
    this.#draw();
  }

  /** Cancels an IDE that is being opened; open ones stay. */
  dispose(): void {
    this.#leaving.abort();
  }

  button(): Html {
    const why = this.#step === null ? 'Only the start and steps of the agent can be opened' : '';
    return html`<button
      type="button"
      id="open-live"
      title="${why}"
      ?disabled="${this.#step === null || this.#isBusy}"
      @click="${() => this.open()}"
    >
      Open live here <kbd aria-hidden="true">O</kbd>
    </button>`;
  }

  panel(): Html {
    return html`<div class="live">
      <p class="quiet" role="status" aria-label="Live state">${this.#said}</p>
      <ul class="states">
        ${this.#open.map((state) => this.#item(state))}
      </ul>
    </div>`;
  }

  async #take(line: LiveLine, step: number): Promise<void> {
    if (line.kind !== 'open') {
      const what = line.kind === 'failed' ? `Step ${step} can’t be opened` : `Opening step ${step}`;
      return this.#say(`${what}: ${line.text}`);
    }
    await this.#refresh();
    // A person who pressed the key continues from there; a focus elsewhere is left alone.
    const { activeElement: focused, body } = document;
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.states a')];
    if (focused === body || focused?.id === 'open-live' || focused?.id === 'main')
      links.find(({ href }) => href === line.url)?.focus();
    this.#say(line.words);
  }

  async #refresh(): Promise<void> {
    this.#open = await requestData<OpenState[]>('live', {}, this.#leaving.signal).catch(() => []);
    if (!this.#leaving.signal.aborted) this.#draw();
  }

  #item({ id, step, url, sandbox }: OpenState): Html {
    const name = `${id === this.#id ? '' : `${id}, `}step ${step}, live`;
    return html`<li>
      <a href="${url}" target="_blank" rel="noopener">${name}</a>
      <code>${sandbox}</code>
      <button
        type="button"
        aria-label="End ${name}"
        ?disabled="${this.#ending === sandbox}"
        @click="${() => this.#end(sandbox)}"
      >
        End
      </button>
    </li>`;
  }

  async #end(sandbox: string): Promise<void> {
    this.#ending = sandbox;
    this.#draw();
    try {
      await endResource('live', { sandbox });
      this.#say(`${sandbox} has ended`);
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
    this.#ending = null;
    await this.#refresh();
    document.getElementById('open-live')?.focus();
  }

  #say(text: string): void {
    this.#said = text;
    this.#draw();
  }
}
