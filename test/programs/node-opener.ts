import { PwpError } from '../../bridge/lib/index.ts';
import { createLocalNode } from '../../host/node/index.ts';

// Opens the local node and prints `ready`, or the code of the error.

try {
  const node = await createLocalNode();
  await node[Symbol.asyncDispose]();
  console.log('ready');
} catch (error) {
  console.log(error instanceof PwpError ? error.code : String(error));
}
