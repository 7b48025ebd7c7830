import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { disposeOnSignals } from '../../host/node/local/dispose-on-signals.ts';
import { type Attack, attacksVariable } from '../support/attacks.ts';
import { closeEngine, openEngine } from '../support/docker-engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRunHome } from '../support/run-home.ts';
import { runPass } from './pass.ts';

// `npm run attacks [-- options of mocha]`: makes every attack that the tests know, on both kinds of node, and prints one
// table of them. Fails if an attack succeeds, and if a test of attacks fails.

const files = [
  'test/integration/evil/*.test.ts',
  'test/integration/node/{desk,red-team,wall}.test.ts',
  'test/integration/grade/{forged.slow,variant}.test.ts',
  'test/integration/datasets/runner-forgeries.slow.test.ts',
  'test/unit/foreign/*.test.ts',
  'test/e2e/signals.test.ts',
];
const nodes = ['local', 'docker'] as const;

const project = fileURLToPath(new URL('../..', import.meta.url));
process.env['PWP_TESTS'] = 'all';
const stop = new AbortController();
await using owned = new AsyncDisposableStack();
let running: Promise<unknown> = Promise.resolve();
using listening = disposeOnSignals(owned, {
  [Symbol.asyncDispose]: async () => {
    stop.abort();
    await running;
  },
});
void listening;
owned.use(await openRunHome());
owned.defer(closeEngine);
await openEngine();
const folder = owned.use(await temporaryFolder());
const log = join(folder.path, 'attacks.jsonl');
await writeFile(log, '');
process.env[attacksVariable] = log;

const pass = { title: 'attacks', jobs: 1, files: globSync(files, { cwd: project }).toSorted() };
const options = process.argv.slice(2);
const tests = runPass(pass, { project, folder: folder.path, options, signal: stop.signal });
running = tests;
const { failed } = await tests;
if (!stop.signal.aborted) {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
  const attacks = lines.map((line) => JSON.parse(line) as Attack);
  console.log(`\n${tableOf(attacks)}`);
  process.exitCode = failed > 0 || attacks.length === 0 || attacks.some(({ held }) => !held) ? 1 : 0;
}

/** A row for each attack: how often it was made on each kind of node, and whether it failed each time. */
function tableOf(attacks: readonly Attack[]): string {
  const groups = Map.groupBy(attacks, ({ on }) => on);
  const parts = [...groups].map(([on, made]) => {
    const rows = [...Map.groupBy(made, ({ what }) => what)].map(
      ([what, times]) =>
        `| ${what} | ${[null, ...nodes].map((node) => outcomeOf(times, node)).join(' | ')} |`,
    );
    return [
      `${on}: ${rows.length} attacks`,
      '',
      '| attack | host | local | docker |',
      '|---|---|---|---|',
      ...rows,
    ];
  });
  const kinds = new Set(attacks.map(({ on, what }) => `${on}: ${what}`)).size;
  const through = attacks.filter(({ held }) => !held).length;
  const sum = `${kinds} attacks, made ${attacks.length} times; ${through} not refused`;
  return [...parts.flatMap((lines) => [...lines, '']), sum].join('\n');
}

function outcomeOf(times: readonly Attack[], node: Attack['node']): string {
  const here = times.filter((one) => one.node === node);
  if (here.length === 0) return '';
  const held = here.filter((one) => one.held).length;
  return held < here.length
    ? `**not refused: ${here.length - held} of ${here.length}**`
    : `refused ${held} of ${held}`;
}
