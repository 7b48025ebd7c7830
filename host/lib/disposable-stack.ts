// Node 22 has `using` neither in its syntax, which the bundler rewrites, nor these two classes, which it puts in place
// of the global ones. The sources use the global ones.

type Release = () => unknown;

/** The common part of both: a list of resources to release, the last first. */
abstract class Stack {
  protected releases: Release[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  defer(release: Release): void {
    if (this.#disposed) throw new ReferenceError('the stack is disposed already');
    this.releases.push(release);
  }

  adopt<T>(value: T, release: (value: T) => unknown): T {
    this.defer(() => release(value));
    return value;
  }

  /** All of it, once. */
  protected takeAll(): Release[] {
    this.#disposed = true;
    return this.releases.splice(0).reverse();
  }
}

class SyncStack extends Stack implements DisposableStack {
  readonly [Symbol.toStringTag] = 'DisposableStack';

  use<T extends Disposable | null | undefined>(value: T): T {
    if (value) this.defer(() => value[Symbol.dispose]());
    return value;
  }

  move(): DisposableStack {
    const moved = new SyncStack();
    moved.releases.push(...this.takeAll().reverse());
    return moved;
  }

  dispose(): void {
    const failures: unknown[] = [];
    for (const release of this.takeAll()) {
      try {
        release();
      } catch (error) {
        failures.push(error);
      }
    }
    throwAll(failures);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

class AsyncStack extends Stack implements AsyncDisposableStack {
  readonly [Symbol.toStringTag] = 'AsyncDisposableStack';

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (!value) return value;
    if (Symbol.asyncDispose in value) this.defer(() => value[Symbol.asyncDispose]());
    else this.defer(() => value[Symbol.dispose]());
    return value;
  }

  move(): AsyncDisposableStack {
    const moved = new AsyncStack();
    moved.releases.push(...this.takeAll().reverse());
    return moved;
  }

  async disposeAsync(): Promise<void> {
    const failures: unknown[] = [];
    for (const release of this.takeAll()) {
      try {
        await release();
      } catch (error) {
        failures.push(error);
      }
    }
    throwAll(failures);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

/** One failure as it is, several together. */
function throwAll(failures: readonly unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'several things could not be released');
}

export { AsyncStack as AsyncDisposableStack, SyncStack as DisposableStack };
