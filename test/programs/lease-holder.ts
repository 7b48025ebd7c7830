import { join } from 'node:path';
import { identifyThisProcess } from '../../host/lib/index.ts';
import { LocalLease } from '../../host/node/control/local-lease.ts';
import { connectDisplay } from '../../host/node/display/display.ts';

/** `lease-holder.ts <folder> <ms> <socket>`: takes the lease, holds Shift down, prints `held`, and waits. */

const [folder = '', ttlMs = '', socket = ''] = process.argv.slice(2);
const signal = AbortSignal.timeout(60_000);
const display = await connectDisplay(socket, signal);
const lease = new LocalLease({
  paths: { lease: join(folder, 'lease.json'), leaseUsed: join(folder, 'lease-used.json') },
  process: identifyThisProcess,
  letGo: (within) => display.letGo(1000, within),
});
const ada = { kind: 'person', id: 'ada', name: 'Ada' } as const;
await lease.take(ada, { ttlMs: Number(ttlMs), signal });
await display.play([{ kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 }], signal);
console.log('held');
process.stdin.resume();
