import { hostname as thisHost } from 'node:os';
import { describeError, pause } from '../../../../bridge/lib/index.ts';
import { type EpisodeWorker, type EpisodeWorkers, readWorkerId } from '../../../run/index.ts';
import { WorkerLink } from './worker-link.ts';

export interface FleetOptions {
  readonly workers: EpisodeWorkers;
  /** What workers must serve: {@link hashServed}. */
  readonly serves: string;
  /** Called for a worker that can't be used, and why; once for each reason. */
  readonly onProblem: (problem: string) => void;
  /** Milliseconds between two looks at the workers. Default 1000. */
  readonly lookMs?: number | undefined;
  /** Looks in a row that a worker may leave unanswered, each for up to 3 s, before it is given up. Default 8. */
  readonly mostFailures?: number | undefined;
}

/** What a request is about. */
export interface SessionChoice {
  /** The session or episode that it names. */
  readonly session?: string | undefined;
  /** It may begin one. */
  readonly begins: boolean;
  /** One that it names is the only one that it can be for. */
  readonly stays: boolean;
  /** Its own id, by which it may be sent again. */
  readonly request?: string | undefined;
  /** That the worker of a new session must have. */
  readonly labels: readonly string[];
}

/** Workers that have gone, of which it is known why. */
const keptLosses = 1000;

/** The workers of a front. Disposing it ends its connections to them. */
export class Fleet implements AsyncDisposable {
  readonly #options: FleetOptions;
  /** The one that was given a session least recently first. */
  readonly #links = new Map<string, WorkerLink>();
  readonly #losses = new Map<string, string>();
  readonly #reported = new Set<string>();
  readonly #ended = new AbortController();
  /** Those that take new sessions. */
  #listed: ReadonlySet<string> = new Set();
  #looking: Promise<void> | undefined;
  #watching: Promise<void> = Promise.resolve();

  private constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Resolves when it knows the workers that there are. */
  static async open(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options);
    await fleet.#look();
    fleet.#watching = fleet.#watch();
    return fleet;
  }

  /** Those that have answered. */
  get links(): readonly WorkerLink[] {
    return [...this.#links.values()].filter(({ isKnown }) => isKnown);
  }

  /** The workers to which a request can be passed, the best first: the next is for a request that one refuses. */
  async *choose({
    session = '',
    begins,
    stays,
    request,
    labels,
  }: SessionChoice): AsyncGenerator<WorkerLink, void> {
    const tried = new Set<WorkerLink>();
    const named = (await this.#find(readWorkerId(session))) ?? (await this.#findByRequest(request));
    if (named) {
      tried.add(named);
      yield named;
      if (stays) return;
    }
    while (begins) {
      // One that seems full may have ended an episode just now: it knows best.
      const link = this.#findRoom(labels, tried) ?? (await this.#findNewRoom(labels, tried));
      if (!link) return;
      tried.add(link);
      this.#links.delete(link.id);
      this.#links.set(link.id, link);
      link.give();
      // Without it, a repeated request would only begin a second episode, which ends when it is idle.
      if (request !== undefined)
        await this.#options.workers.noteRequest(request, link.id).catch(() => undefined);
      yield link;
    }
  }

  /** Why there is nothing behind an id that a worker has made; undefined for other ids. */
  explainLoss(session: string): string | undefined {
    const id = readWorkerId(session);
    // One that was given up is looked for again while its lease is not over.
    if (id === undefined || this.#links.get(id)?.isKnown) return undefined;
    return this.#losses.get(id) ?? `its worker, ${id}, is gone`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    for (const link of this.#links.values()) link[Symbol.dispose]();
    await this.#watching;
    await this.#looking;
  }

  /** The one with the most room, as far as is known. */
  #findRoom(labels: readonly string[], tried: ReadonlySet<WorkerLink>): WorkerLink | undefined {
    return pickBest(this.#usable(labels, tried), ({ room, taken }) => room.capacity - taken);
  }

  async #findNewRoom(
    labels: readonly string[],
    tried: ReadonlySet<WorkerLink>,
  ): Promise<WorkerLink | undefined> {
    await Promise.all(this.#usable(labels, tried).map((link) => link.checkAgain()));
    return pickBest(this.#usable(labels, tried), ({ room }) => room.capacity - room.episodes);
  }

  #usable(labels: readonly string[], tried: ReadonlySet<WorkerLink>): WorkerLink[] {
    return this.links.filter(
      (link) =>
        !tried.has(link) &&
        this.#listed.has(link.id) &&
        link.failures === 0 &&
        labels.every((label) => link.worker.labels.includes(label)),
    );
  }

  async #find(id: string | undefined): Promise<WorkerLink | undefined> {
    if (id === undefined) return undefined;
    // Another front may have known it first.
    if (!this.#links.has(id) && !this.#losses.has(id)) await this.#look();
    const link = this.#links.get(id);
    return link?.isKnown ? link : undefined;
  }

  async #findByRequest(request: string | undefined): Promise<WorkerLink | undefined> {
    if (request === undefined) return undefined;
    return this.#find(await this.#options.workers.findRequest(request).catch(() => undefined));
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await pause(this.#options.lookMs ?? 1000, signal).catch(() => undefined);
      if (!signal.aborted) await this.#look();
    }
  }

  /** Never rejects. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookNow()
      .catch((error: unknown) => this.#report(`the workers are not known: ${describeError(error)}`))
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const { workers, serves, mostFailures = 8 } = this.#options;
    for (const link of this.#links.values()) {
      if (link.failures >= mostFailures) link.lose('it does not answer');
      else void link.check();
    }
    const listed = await workers.list();
    const own = listed.filter((worker) => {
      const why = explainUnfit(worker, serves);
      if (why !== undefined) this.#report(`the worker ${worker.name} (${worker.id}) is not used: ${why}`);
      return why === undefined;
    });
    this.#listed = new Set(own.map(({ id }) => id));
    for (const link of this.#links.values())
      if (!this.#listed.has(link.id) && link.failures > 0) link.lose('its lease is over');
    const added = own
      .filter(({ id }) => !this.#links.has(id))
      .map((worker) => this.#add(new WorkerLink(worker)));
    await Promise.all(added.map((link) => link.check()));
  }

  #add(link: WorkerLink): WorkerLink {
    this.#links.set(link.id, link);
    link.gone.addEventListener(
      'abort',
      () => {
        if (this.#links.get(link.id) === link) this.#links.delete(link.id);
        const why = describeError(link.gone.reason);
        if (!this.#ended.signal.aborted) this.#report(why);
        this.#losses.set(link.id, why);
        const [oldest] = this.#losses.keys();
        if (this.#losses.size > keptLosses && oldest !== undefined) this.#losses.delete(oldest);
      },
      { once: true },
    );
    return link;
  }

  #report(problem: string): void {
    if (this.#reported.has(problem)) return;
    if (this.#reported.size >= keptLosses) this.#reported.clear();
    this.#reported.add(problem);
    this.#options.onProblem(problem);
  }
}

/** The first with the highest number above 0. */
function pickBest(links: readonly WorkerLink[], count: (link: WorkerLink) => number): WorkerLink | undefined {
  const most = Math.max(1, ...links.map(count));
  return links.find((link) => count(link) === most);
}

/** Undefined for a worker that a front can use. */
function explainUnfit({ name, serves: own, url }: EpisodeWorker, serves: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (isLocal && !name.startsWith(`${thisHost()}:`))
    return 'its address is for its own machine: start it with --host';
  if (!isLocal && protocol === 'http:') return 'its address is on another machine, without TLS';
  return own === serves ? undefined : 'it serves other tasks, tools or settings';
}
