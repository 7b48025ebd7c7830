import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { openProgress } from '../../lib/index.ts';
import { canRunLocally } from '../local/index.ts';
import { buildDist } from './build-dist.ts';
import { setUpMachine } from './machine-setup.ts';

// `node host/node/setup/run-setup.ts [--tests]`: all that npm scripts need before they can do their work. Where sandboxes run in
// Docker that is only the bundles: nodes make their own images, and nothing else of this machine is needed.

const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => controller.abort(new PwpError('cancelled', `stopped by ${name}`)));
}

try {
  const tests = process.argv.includes('--tests');
  const { signal } = controller;
  if (inDocker() && !tests) await buildDist(signal);
  else await setUpMachine({ progress: openProgress(), signal, build: true, tests });
} catch (error) {
  process.stderr.write(`pwp: ${describeError(error)}\n`);
  if (error instanceof PwpError && error.help !== undefined) process.stderr.write(`  ${error.help}\n`);
  const unfit = error instanceof PwpError && ['packages-missing', 'needs-root'].includes(error.code);
  process.exitCode = controller.signal.aborted ? 130 : unfit ? 2 : 1;
}

/** As the command line chooses. */
function inDocker(): boolean {
  return process.env['PWP_NODE'] ? process.env['PWP_NODE'] === 'docker' : !canRunLocally();
}
