import { byId, FullSize } from '../dom.ts';

/** The script of a report; without it, all steps are listed below each other. */
class ReportViewer {
  readonly #steps = [...document.querySelectorAll<HTMLElement>('.step')];
  readonly #links = [...document.querySelectorAll<HTMLAnchorElement>('.strip a')];
  readonly #failing = byId<HTMLInputElement>('only-failing');
  readonly #full = new FullSize(byId<HTMLDialogElement>('full'));
  #current = 0;

  constructor() {
    document.addEventListener('keydown', (event) => this.#key(event));
    for (const [at, link] of this.#links.entries())
      link.addEventListener('click', (event) => {
        event.preventDefault();
        this.#visit(at);
      });
    for (const step of this.#steps)
      step.querySelector('.open')?.addEventListener('click', () => this.#fill());
    this.#failing.addEventListener('change', () => this.#filter());
    addEventListener('hashchange', () => this.#showHash(this.#current));
    document.documentElement.classList.add('viewer');
    this.#showHash(0);
  }

  #show(at: number): void {
    this.#current = at;
    for (const [i, step] of this.#steps.entries()) step.hidden = i !== at;
    for (const [i, link] of this.#links.entries()) {
      if (i === at) link.ariaCurrent = 'step';
      else link.removeAttribute('aria-current');
    }
    const link = this.#links[at];
    const strip = link?.closest('.strip');
    if (link && strip) strip.scrollTo({ left: link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2 });
    const last = this.#steps.filter(({ id }) => id.startsWith('step-')).length - 1;
    byId('status').textContent = `${this.#steps[at]?.querySelector('h3')?.textContent} of ${last}`;
    if (this.#full.isOpen) this.#fill();
  }

  // Not on load: a page that is opened without a fragment must start at its top.
  #visit(at: number): void {
    this.#show(at);
    history.replaceState(null, '', `#${this.#steps[at]?.id}`);
  }

  #move(from: number, by: 1 | -1): void {
    for (let at = from; at >= 0 && at < this.#steps.length; at += by)
      if (this.#isShown(at)) return this.#visit(at);
  }

  #isShown(at: number): boolean {
    return !this.#failing.checked || (this.#steps[at]?.hasAttribute('data-failing') ?? false);
  }

  #filter(): void {
    for (const [at, link] of this.#links.entries())
      if (link.parentElement) link.parentElement.hidden = !this.#isShown(at);
    if (!this.#isShown(this.#current)) this.#visit(this.#steps.findIndex((_, at) => this.#isShown(at)));
  }

  #fill(): void {
    this.#full.show(this.#steps[this.#current]?.querySelector('.picture') ?? null);
  }

  #key(event: KeyboardEvent): void {
    const { ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || (target instanceof Element && target.closest('pre'))) return;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#move(this.#current - 1, -1),
      ArrowRight: () => this.#move(this.#current + 1, 1),
      Home: () => this.#move(0, 1),
      End: () => this.#move(this.#steps.length - 1, -1),
      m: () => byId('show-marks').click(),
      c: () => byId('show-changed').click(),
      f: () => this.#failing.click(),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #showHash(otherwise: number): void {
    const at = this.#steps.findIndex(({ id }) => `#${id}` === location.hash);
    this.#show(at === -1 ? otherwise : at);
  }
}

if (document.querySelector('.step')) new ReportViewer();
