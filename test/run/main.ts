import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { disposeOnSignals } from '../../host/node/local/dispose-on-signals.ts';
import { closeEngine, openEngine } from '../support/docker-engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRunHome } from '../support/run-home.ts';
import { runPass } from './pass.ts';
import { planOf, scopes } from './plan.ts';
import { add, nothing, slowest, type Summary, total } from './summary.ts';

// `node test/run/main.ts [unit|usual|all] [options of mocha]`: runs the tests in passes, prints the slowest files and one
// total, and fails if a test fails or a pass runs no test. docs/internals/testing.md says what runs where.

const project = fileURLToPath(new URL('../..', import.meta.url));
const [first = '', ...rest] = process.argv.slice(2);
const named = scopes.find((name) => name === first);
const scope = named ?? 'usual';
const options = named ? rest : process.argv.slice(2);
process.env['PWP_TESTS'] = scope;

const stop = new AbortController();
await using owned = new AsyncDisposableStack();
using listening = disposeOnSignals(owned, { [Symbol.asyncDispose]: interrupt });
void listening;
if (scope !== 'unit') owned.use(await openRunHome());
owned.defer(closeEngine);
const setUpFailed = 'the set-up of this machine: see above';
const ready = scope === 'unit' ? Promise.resolve(true) : prepare();

let summary = nothing;
let running = Promise.resolve(nothing);
for (const pass of planOf(scope, globSync('test/**/*.test.ts', { cwd: project }))) {
  await using folder = await temporaryFolder();
  if (pass.needsSetUp && !(await ready)) {
    summary = add(summary, { ...nothing, failed: 1, failures: [setUpFailed] });
    break;
  }
  running = runPass(pass, { project, folder: folder.path, options, signal: stop.signal });
  const found = await running;
  if (stop.signal.aborted) break;
  summary = add(summary, found);
  // With options such as -g a pass may have no test to run.
  if (options.length === 0 && found.passed + found.failed === 0)
    summary = add(summary, { ...nothing, failed: 1, failures: [`${pass.title}: no test ran`] });
}
if (!stop.signal.aborted) report(summary);

function report(found: Summary): void {
  const ran = found.passed + found.failed > 0;
  const whole = ran ? found : add(found, { ...nothing, failed: 1, failures: ['no test ran'] });
  console.log(`\n${slowest(whole)}\n`);
  for (const failure of whole.failures) console.log(`failed: ${failure}`);
  console.log(total(whole));
  process.exitCode = whole.failed > 0 ? 1 : 0;
}

/** Installs and starts all that sandboxes need, beside the first tests. False if that can't be done. */
async function prepare(): Promise<boolean> {
  const args = [join(project, 'host/node/setup/run-setup.ts'), '--tests'];
  try {
    const child = spawn(process.execPath, args, { cwd: project, stdio: 'inherit', signal: stop.signal });
    const [code] = (await once(child, 'exit')) as [number | null];
    // Without an engine only the tests in one fail: they open it again, and say why it can't be.
    if (code === 0) await openEngine().catch((error: unknown) => console.error(error));
    return code === 0;
  } catch (error) {
    console.error(error);
    return false;
  }
}

async function interrupt(): Promise<void> {
  stop.abort();
  await Promise.allSettled([running, ready]);
}
