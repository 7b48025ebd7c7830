import { raceSignal } from '../../../bridge/lib/index.ts';

/** Follows the diagnostics and the work of a server, by its messages, never by time. */
export class ServerReports {
  readonly #changed = new EventTarget();
  /** Received, and not yet shown by VS Code. */
  readonly #underWay = new Map<string, number | undefined>();
  /** Versions of the texts that the last diagnostics are about; undefined if the server does not say. */
  readonly #reports = new Map<string, number | undefined>();
  readonly #working = new Set<string | number>();
  readonly #states = new Map<string, string>();
  readonly #verified = new Map<string, number>();
  #worksEnded = 0;
  #checks = { begun: 0, ended: 0 };
  #clock = 0;
  #quiet = false;
  /** When something other than a text changed, such as a file on disk. */
  #outside = 0;

  /** Diagnostics have arrived. */
  received(uri: string, version: number | undefined): void {
    this.#underWay.set(uri, version);
  }

  /** The last ones that arrived are shown. */
  shown(uri: string): void {
    this.#reports.set(uri, this.#underWay.get(uri));
    this.#underWay.delete(uri);
    this.#notify();
  }

  /** The server's current work on a file. */
  fileState(uri: string, state: string): void {
    this.#states.set(uri, state);
    this.#notify();
  }

  /** The server has no work left for a file, and everything that it reported about it is shown. */
  isDone(uri: string): boolean {
    return this.#states.get(uri) === 'idle' && !this.#underWay.has(uri);
  }

  /** A moment at which the shown diagnostics of a file are known to be current. */
  verified(uri: string, moment: number): void {
    this.#verified.set(uri, moment);
  }

  /** Whether nothing has changed since that moment. */
  isVerified(uri: string): boolean {
    return (this.#verified.get(uri) ?? -1) >= this.#outside;
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

  /** Sets whether the server has read the whole project. */
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

  /** Numbers of compiler runs that have begun and ended. */
  get checks(): { readonly begun: number; readonly ended: number } {
    return { ...this.#checks };
  }

  get worksEnded(): number {
    return this.#worksEnded;
  }

  get isIdle(): boolean {
    return this.#working.size === 0 && this.#underWay.size === 0;
  }

  /** Whether the shown diagnostics are about this version. */
  isAbout(uri: string, version: number): boolean {
    return this.#reports.get(uri) === version;
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
