import { PwpError } from '../../bridge/lib/index.ts';
import { connectEngine } from '../../host/node/docker/engine.ts';

// Connects to the Docker Engine and prints `ready`, or the code of the error.

await connectEngine().then(
  () => console.log('ready'),
  (error: unknown) => console.log(error instanceof PwpError ? error.code : String(error)),
);
