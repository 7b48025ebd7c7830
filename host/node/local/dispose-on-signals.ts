/** Conventional exit codes: 128 + the signal's number. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type EndSignal = keyof typeof exitCodes;

/**
 * Ends what `resources` own, the last one first, when this process gets a signal to end, then exits with the signal's code.
 * A second signal exits at once and leaves the rest to the next sweep. Dispose to stop listening.
 */
export function disposeOnSignals(...resources: readonly AsyncDisposable[]): Disposable {
  let ending = false;
  const onSignal = (name: EndSignal) => {
    if (ending) process.exit(exitCodes[name]);
    ending = true;
    void disposeAll(resources).finally(() => process.exit(exitCodes[name]));
  };
  const names = Object.keys(exitCodes) as EndSignal[];
  for (const name of names) process.on(name, onSignal);
  return {
    [Symbol.dispose]() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}

async function disposeAll(resources: readonly AsyncDisposable[]): Promise<void> {
  for (const resource of resources.toReversed()) {
    try {
      await resource[Symbol.asyncDispose]();
    } catch (error) {
      console.error(error);
    }
  }
}
