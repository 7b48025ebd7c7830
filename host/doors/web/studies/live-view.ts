import { plainLine } from '../../../../bridge/text/index.ts';
import { buildElement, setText } from '../dom.ts';
import { endResource, requestData, requestLines } from './addresses.ts';
import type { LiveLine, OpenState } from './study-data.ts';

/** Opens the shown step as a live IDE, and lists the open ones. */
export class LiveView {
  readonly button = buildElement('button', '', 'Open live here ');
  readonly element = buildElement('div', 'live');
  readonly #id: string;
  readonly #status = buildElement('p', 'quiet');
  readonly #list = buildElement('ul', 'states');
  readonly #leaving = new AbortController();
  #step: number | null = null;
  #isBusy = false;

  /** @param id of the attempt */
  constructor(id: string) {
    this.#id = id;
    this.button.type = 'button';
    this.button.id = 'open-live';
    const key = buildElement('kbd', '', 'O');
    key.ariaHidden = 'true';
    this.button.append(key);
    this.button.addEventListener('click', () => void this.open());
    this.#status.role = 'status';
    this.#status.ariaLabel = 'Live state';
    this.element.append(this.#status, this.#list);
    void this.#refresh();
  }

  /** @param at name of the shown moment: only the start and steps can be opened */
  show(at: string): void {
    const [, step] = /^step-(\d+)$/.exec(at) ?? [];
    this.#step = step === undefined ? null : Number(step);
    this.#enable();
  }

  async open(): Promise<void> {
    const step = this.#step;
    if (step === null || this.#isBusy) return;
    this.#isBusy = true;
    this.#enable();
    this.#say(`Opening step ${step}…`);
    try {
      const { signal } = this.#leaving;
      const asked = requestLines<LiveLine>('live', { id: this.#id, step }, signal, 'POST');
      for await (const line of asked) await this.#take(line, step);
    } catch (error) {
      if (!this.#leaving.signal.aborted) this.#say(error instanceof Error ? error.message : String(error));
    }
    this.#isBusy = false;
    this.#enable();
  }

  /** Cancels an IDE that is being opened; open ones stay. */
  dispose(): void {
    this.#leaving.abort();
  }

  async #take(line: LiveLine, step: number): Promise<void> {
    if (line.kind !== 'open') {
      const what = line.kind === 'failed' ? `Step ${step} can’t be opened` : `Opening step ${step}`;
      return this.#say(`${what}: ${plainLine(line.text)}`);
    }
    await this.#refresh();
    const link = [...this.#list.querySelectorAll('a')].find(({ href }) => href === line.url);
    // A person who pressed the key continues from there; a focus elsewhere is left alone.
    const { activeElement: focused, body } = document;
    if (focused === body || focused === this.button || focused?.id === 'main') link?.focus();
    this.#say(plainLine(line.words));
  }

  async #refresh(): Promise<void> {
    const open = await requestData<OpenState[]>('live', {}, this.#leaving.signal).catch(() => []);
    this.#list.replaceChildren(...open.map((state) => this.#item(state)));
  }

  #item({ id, step, url, sandbox }: OpenState): HTMLElement {
    const item = buildElement('li');
    const link = buildElement('a', '', plainLine(`${id === this.#id ? '' : `${id}, `}step ${step}, live`));
    link.href = url;
    link.target = '_blank';
    link.rel = 'noopener';
    const stop = buildElement('button', '', 'End');
    stop.type = 'button';
    stop.ariaLabel = `End ${link.textContent}`;
    stop.addEventListener('click', () => void this.#end(sandbox, stop));
    item.append(link, buildElement('code', '', plainLine(sandbox)), stop);
    return item;
  }

  async #end(sandbox: string, stop: HTMLButtonElement): Promise<void> {
    stop.disabled = true;
    try {
      await endResource('live', { sandbox });
      this.#say(`${plainLine(sandbox)} has ended`);
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
    await this.#refresh();
    this.button.focus();
  }

  #say(text: string): void {
    setText(this.#status, text);
  }

  #enable(): void {
    this.button.disabled = this.#step === null || this.#isBusy;
    this.button.title = this.#step === null ? 'Only the start and steps of the agent can be opened' : '';
  }
}
