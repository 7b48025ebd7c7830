import { once } from 'node:events';
import { neverAborted } from '../../bridge/lib/index.ts';
import { identifyProcess } from '../../host/lib/index.ts';
import { takeBatchRight } from '../../host/node/control/batch-right.ts';

// Takes the right to play a batch, prints a line, and never gives it back: `batch.ts <path>`

const [path = ''] = process.argv.slice(2);
const owner = await identifyProcess(process.pid);
if (!owner) throw new Error('this process is not found');
await takeBatchRight(path, owner, neverAborted);
console.log('held');
process.stdin.resume();
await once(process.stdin, 'end');
