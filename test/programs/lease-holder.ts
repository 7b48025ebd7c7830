/** `lease-holder.ts <folder> <ms> <socket>`: takes the lease, holds Shift down, prints `held`, and waits. */
import { LocalLease } from '../../host/node/local/lease/index.ts';
import { thisProcess } from '../../host/node/local/record.ts';
import { connectDisplay } from '../../host/node/display/index.ts';
import { join } from 'node:path';

const [folder = '', ttlMs = '', socket = ''] = process.argv.slice(2);
const signal = AbortSignal.timeout(60_000);
const display = await connectDisplay(socket, signal);
const lease = new LocalLease({
  paths: { lease: join(folder, 'lease.json'), leaseUsed: join(folder, 'lease-used.json') },
  process: thisProcess,
  letGo: (within) => display.letGo(1000, within),
});
const ada = { kind: 'person', id: 'ada', name: 'Ada' } as const;
await lease.take(ada, { ttlMs: Number(ttlMs), signal });
await display.play([{ kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 }], signal);
console.log('held');
process.stdin.resume();
