import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadline, poll, type PwpError } from '../../../bridge/lib/index.ts';
import { silentProgress } from '../../../host/lib/index.ts';
import { lineProgress } from '../../../host/lib/progress.ts';
import { ensureLayer } from '../../../host/node/image/layer-build.ts';
import { LayerStore } from '../../../host/node/image/layer-store.ts';
import { quickRecipe, stuckRecipe } from './recipes.ts';

describe('building a layer', () => {
  let home = '';
  let store: LayerStore;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'pwp-build-'));
    store = new LayerStore(home);
  });
  afterEach(() => rm(home, { recursive: true }));
  const options = { progress: silentProgress, signal: new AbortController().signal };
  const entries = async () =>
    (await readdir(store.folder)).filter((name) => name !== 'lock' && name !== 'logs');
  const mountsBelow = async () => (await readFile('/proc/self/mountinfo', 'utf8')).includes(home);

  it('happens once, after which the layer exists', async () => {
    const recipe = quickRecipe('echo >> "$1/../../../count" && touch "$1/file"');
    const [one, two] = await Promise.all([
      ensureLayer(store, recipe, options),
      ensureLayer(new LayerStore(home), recipe, options),
    ]);
    assert.deepEqual(one, two);
    await ensureLayer(store, recipe, options);
    assert.equal(await readFile(join(home, 'count'), 'utf8'), '\n');
    assert.deepEqual(await readdir(one.rootfs), ['file']);
    assert.deepEqual(await store.list(), [one]);
    assert.deepEqual(await entries(), ['trial-aaaaaaaaaaaaaaaa']);
  });

  it('reports the stages of the build', async () => {
    const lines: string[] = [];
    const progress = lineProgress((line) => lines.push(line.replace(/^\S+ /, '')));
    await ensureLayer(store, quickRecipe('echo "==> 0.5 Half way"; echo "==> 1 Whole"'), {
      ...options,
      progress,
    });
    assert.deepEqual(lines, ['Half way', 'Whole']);
  });

  it('that fails reports the last lines and leaves only its log', async () => {
    const failing = quickRecipe(
      'touch "$1/file"; for i in 1 2 3; do echo line $i; done; echo bad >&2; exit 7',
    );
    await assert.rejects(ensureLayer(store, failing, options), (error: PwpError) => {
      assert.equal(error.code, 'image-build-failed');
      assert.match(error.message, /line 3\n {2}bad$/);
      assert.match(error.help ?? '', /logs\/trial-/);
      return true;
    });
    assert.deepEqual(await entries(), []);
    assert.match(await readFile(store.logFile(failing), 'utf8'), /line 1\nline 2/);
  });

  it('that is cancelled leaves no mount, process or folder', async () => {
    const controller = new AbortController();
    const started = join(home, 'started');
    const building = ensureLayer(store, stuckRecipe(started), { ...options, signal: controller.signal });
    await Promise.all([
      assert.rejects(building, /enough/),
      untilExists(started).then(() => controller.abort(new Error('enough'))),
    ]);
    assert.equal(processesNaming(home), '');
    assert.equal(await mountsBelow(), false);
    assert.deepEqual(await entries(), []);
  });

  it('that is killed leaves no mount, and the next one starts clean', async () => {
    const started = join(home, 'started');
    const program = join(import.meta.dirname, 'programs/build-stuck.ts');
    const builder = spawn(process.execPath, [program, home, started], { stdio: 'inherit' });
    await untilExists(started);
    builder.kill('SIGKILL');
    await once(builder, 'exit');
    assert.equal(await mountsBelow(), false);
    const layer = await ensureLayer(store, quickRecipe(), options);
    assert.deepEqual(await readdir(layer.rootfs), ['file']);
    assert.deepEqual(await entries(), ['trial-aaaaaaaaaaaaaaaa']);
    assert.equal(processesNaming(started), '');
  });

  it('unmounts what it finds in a left-over folder instead of emptying it', async () => {
    const precious = join(home, 'precious');
    const leftOver = join(store.folder, '.unfinished-trial', 'rootfs', 'dev with blanks');
    await mkdir(precious);
    await writeFile(join(precious, 'file'), 'kept');
    await mkdir(leftOver, { recursive: true });
    execFileSync('mount', ['--bind', precious, leftOver]);
    await ensureLayer(store, quickRecipe(), options);
    assert.equal(await readFile(join(precious, 'file'), 'utf8'), 'kept');
    assert.equal(await mountsBelow(), false);
    assert.deepEqual(await entries(), ['trial-aaaaaaaaaaaaaaaa']);
  });
});

async function untilExists(path: string): Promise<void> {
  using limit = deadline(`start of the build`, 20_000);
  await poll(path, async () => ({ done: true, value: await readFile(path) }), {
    intervalMs: 20,
    signal: limit.signal,
  });
}

/** Command lines of processes that name this path. */
function processesNaming(path: string): string {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(path)).join('\n');
}
