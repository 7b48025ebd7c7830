import { raceSignal } from '../../../bridge/lib/index.ts';

/** What a server has said of one file. */
interface Report {
  /** Of the text that the last published diagnostics are about; undefined if the server does not say. */
  readonly version: number | undefined;
  /** A number of its own, which grows from one to the next. */
  readonly at: number;
}

/** Follows what a server publishes and what it is busy with: by its messages, never by time. */
export class Reports {
  readonly #changed = new EventTarget();
  /** Received, and not yet shown by VS Code. */
  readonly #underWay = new Map<string, number | undefined>();
  readonly #reports = new Map<string, Report>();
  readonly #working = new Set<string | number>();
  #worksEnded = 0;
  #checks = { begun: 0, ended: 0 };
  #clock = 0;
  #quiet = false;
  /** When something changed beside the texts, such as a file on disk. */
  #outside = 0;

  /** Diagnostics have arrived. */
  received(uri: string, version: number | undefined): void {
    this.#underWay.set(uri, version);
  }

  /** The last ones that arrived are shown. */
  shown(uri: string): void {
    this.#reports.set(uri, { version: this.#underWay.get(uri), at: ++this.#clock });
    this.#underWay.delete(uri);
    this.#notify();
  }

  /** Something other than a text changed, after which the same text may have other diagnostics. */
  outside(): void {
    this.#outside = ++this.#clock;
  }

  /** A piece of work of the server has begun or ended. */
  work(token: string | number, kind: 'begin' | 'report' | 'end'): void {
    const isCheck = /flycheck/i.test(String(token));
    if (kind === 'begin') {
      this.#working.add(token);
      if (isCheck) this.#checks.begun += 1;
      this.#notify();
    }
    if (kind !== 'end') return;
    if (isCheck) this.#checks.ended += 1;
    this.#working.delete(token);
    this.#worksEnded += 1;
    this.#notify();
  }

  /** It has, or has not, read all that it knows of. */
  status(quiet: boolean): void {
    this.#quiet = quiet;
    this.#notify();
  }

  get isQuiet(): boolean {
    return this.#quiet;
  }

  get now(): number {
    return this.#clock;
  }

  /** Runs of the compiler that have begun and ended. */
  get checks(): { readonly begun: number; readonly ended: number } {
    return { ...this.#checks };
  }

  get worksEnded(): number {
    return this.#worksEnded;
  }

  get isIdle(): boolean {
    return this.#working.size === 0 && this.#underWay.size === 0;
  }

  /** Whether what is shown is about this version. */
  isAbout(uri: string, version: number): boolean {
    return this.#reports.get(uri)?.version === version;
  }

  /** Whether the last report came after all that changed outside, and after a moment. */
  isSince(uri: string, moment = this.#outside): boolean {
    return (this.#reports.get(uri)?.at ?? 0) > moment;
  }

  /** Resolves when something is true. Rejects with the signal's reason. */
  async until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isTrue()) {
      const next = new Promise<void>((resolve) =>
        this.#changed.addEventListener('changed', () => resolve(), { once: true }),
      );
      await raceSignal(next, signal);
    }
  }

  #notify(): void {
    this.#changed.dispatchEvent(new Event('changed'));
  }
}
