import { describeError } from '../../../bridge/lib/index.ts';
import { buildDist } from './build-dist.ts';

// `node host/node/setup/run-build.ts [name...]`: builds `dist/`, or the named bundles of it.

try {
  const names = process.argv.slice(2);
  await buildDist(new AbortController().signal, names.length > 0 ? names : undefined);
} catch (error) {
  process.stderr.write(`pwp: ${describeError(error)}\n`);
  process.exitCode = 1;
}
