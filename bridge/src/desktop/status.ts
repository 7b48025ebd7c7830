import type { Service, ServiceName } from '../../protocol/index.ts';

/** The state of every part, for callers that ask, wait or listen. */
export class Status {
  readonly #services: Map<ServiceName, Service>;
  readonly #listeners = new Set<(service: Service) => void>();

  constructor(names: readonly ServiceName[]) {
    this.#services = new Map(names.map((name) => [name, { name, state: 'waiting', restarts: 0 }]));
  }

  get services(): Service[] {
    return [...this.#services.values()];
  }

  get(name: ServiceName): Service {
    return this.#services.get(name) ?? { name, state: 'waiting', restarts: 0 };
  }

  /** Sets a part's state and notifies the listeners. */
  set(service: Service): void {
    this.#services.set(service.name, service);
    for (const listener of this.#listeners) listener(service);
  }

  on(listener: (service: Service) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Resolves as soon as `done` holds; looks again after every change. Rejects with the signal's reason. */
  until(done: (services: readonly Service[]) => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        listening[Symbol.dispose]();
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = () => finish(() => reject(signal.reason as Error));
      const look = () => {
        if (done(this.services)) finish(resolve);
      };
      const listening = this.on(look);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else look();
    });
  }
}
