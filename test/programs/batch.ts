import { once } from 'node:events';
import { neverAborted } from '../../bridge/lib/index.ts';
import { identify } from '../../host/lib/index.ts';
import { beginBatch } from '../../host/node/local/lease/index.ts';

// Takes the right to play a batch, prints a line, and never gives it back: `batch.ts <path>`

const [path = ''] = process.argv.slice(2);
const owner = await identify(process.pid);
if (!owner) throw new Error('this process is not found');
await beginBatch(path, owner, neverAborted);
console.log('held');
process.stdin.resume();
await once(process.stdin, 'end');
