import { disposeOnSignals } from '../../host/node/local/dispose-on-signals.ts';
import { closeEngine } from './docker-engine.ts';
import { closeNodes } from './each-node.ts';
import { openRunHome } from './run-home.ts';

// Shared by all tests of a run. Mocha calls these once, in its first process, not in its worker processes.

let owned: AsyncDisposableStack | undefined;
let listening: Disposable | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  owned = new AsyncDisposableStack();
  listening = disposeOnSignals(owned);
  owned.use(await openRunHome());
  owned.defer(closeEngine);
  owned.defer(closeNodes);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await owned?.disposeAsync();
  listening?.[Symbol.dispose]();
}
