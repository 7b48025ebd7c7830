import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';
import { projectFolder } from '../support/cli.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/folder.ts';

const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
const maxBytes = 3_000_000;

const packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

describe('the package', function () {
  this.timeout(600_000);
  let folder: TemporaryFolder;
  let project: string;
  let tarball: z.output<typeof packed>[0];

  before(async () => {
    folder = await temporaryFolder();
    const options = ['--json', '--pack-destination', folder.path, '--loglevel=error'];
    const { stdout } = await execa('npm', ['pack', ...options], { cwd: projectFolder });
    [tarball] = packed.parse(JSON.parse(stdout.slice(stdout.indexOf('['))));
    project = folder.file('project');
    await mkdir(project);
    const consumer = { name: 'consumer', private: true, type: 'module' };
    await writeFile(join(project, 'package.json'), JSON.stringify(consumer));
    const types = `@types/node@${(await manifestOf('node_modules/@types/node')).version}`;
    // Scripts would fetch a Node of 120 MB.
    await npm('install', '--ignore-scripts', folder.file(tarball.filename), types);
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(join(project, 'example.ts'), await snippetOf('README.md'));
  });
  after(() => folder[Symbol.asyncDispose]());

  const npm = (...args: string[]) => execa('npm', [...args, ...quiet], { cwd: project });

  it('is a small tarball, without tests and sources', () => {
    assert.ok(tarball.size <= maxBytes, `${tarball.size} bytes`);
    const paths = tarball.files.map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => /^(test|bench|host|bridge|extension|examples|dist\/types)\//.test(path)),
      [],
    );
  });

  it('has every file that sandboxes and nodes are made of, and every task', async () => {
    const paths = new Set(tarball.files.map(({ path }) => path));
    const wanted = [...(await filesBelow('images')), ...(await filesBelow('tasks'))];
    assert.deepEqual(
      wanted.filter((path) => !paths.has(path)),
      [],
    );
    for (const path of ['node.js', 'bridge.cjs', 'checkpoint-worker.js', 'checks.mjs', 'variant.mjs'])
      assert.ok(paths.has(`dist/${path}`), `dist/${path}`);
  });

  it("compiles the README's example as strictly as TypeScript can", async () => {
    const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc');
    const { exitCode, stdout } = await execa(process.execPath, [tsc, '-p', project], { reject: false });
    assert.equal(exitCode, 0, stdout);
    assert.match(await readFile(join(project, 'example.js'), 'utf8'), /programming-with-pixels/);
  });

  for (const major of [22, 24]) {
    describe(`on Node ${major}`, () => {
      let node: string;
      before(async () => (node = await fetchNode(folder, String(major))));

      it('prints its version and lists its tasks', async () => {
        const pwp = join(project, 'node_modules/.bin/pwp');
        const { version } = await manifestOf('.');
        assert.equal((await execa(node, [pwp, '--version'])).stdout, version);
        const { stdout } = await execa(node, [pwp, 'tasks', 'list'], { cwd: project });
        assert.match(stdout, /vscode\/autosave-500/);
      });

      it("runs the README's example", async () => {
        const { stdout } = await execa(node, ['example.js'], { cwd: project });
        assert.match(stdout, /^1 .*report\.html$/m);
      });
    });
  }

  describe('on Node 20', () => {
    let node: string;
    before(async () => (node = await fetchNode(folder, '20')));

    it('says in one line what is missing where no other Node came with it', async () => {
      const pwp = join(project, 'node_modules/.bin/pwp');
      const { exitCode, stderr } = await execa(node, [pwp, '--version'], { reject: false });
      assert.equal(exitCode, 1);
      assert.match(stderr, /^pwp: Node\.js 22\.15 or newer is needed, this is v20\.[^\n]*$/);
    });

    it('runs in the Node that came with it', async () => {
      const manifest = await manifestOf('node_modules/node');
      await npm('install', '--no-save', `node@${manifest.version}`, '--allow-scripts=node');
      const pwp = join(project, 'node_modules/.bin/pwp');
      const { version } = await manifestOf('.');
      assert.equal((await execa(node, [pwp, '--version'])).stdout, version);
    });
  });
});

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'ESNext.Disposable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};

/** The first example in TypeScript. */
async function snippetOf(name: string): Promise<string> {
  const text = await readFile(join(projectFolder, name), 'utf8');
  const found = /```ts\n(.*?)```/s.exec(text)?.[1];
  assert.ok(found, `${name} has no example`);
  return found;
}

/** Paths of files below a folder of the project, relative to the project. */
async function filesBelow(name: string): Promise<string[]> {
  const entries = await readdir(join(projectFolder, name), { recursive: true });
  const paths = entries.map((entry) => join(name, entry));
  const infos = await Promise.all(paths.map((path) => stat(join(projectFolder, path))));
  return paths.filter((_, index) => infos[index]?.isFile());
}

async function manifestOf(path: string): Promise<{ readonly version: string }> {
  const text = await readFile(join(projectFolder, path, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text));
}

/** Node of a major version, from npm. */
async function fetchNode(folder: TemporaryFolder, major: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const place = folder.file(`node${major}`);
  await mkdir(place, { recursive: true });
  const version = await newestOf(name, major);
  await execa('npm', ['install', '--prefix', place, `${name}@${version}`, ...quiet], { cwd: place });
  return join(place, 'node_modules', name, 'bin/node');
}

/** Not every version of a major one is on every kind of machine. */
async function newestOf(name: string, major: string): Promise<string> {
  const { stdout } = await execa('npm', [
    'view',
    `${name}@${major}`,
    'version',
    '--json',
    '--loglevel=error',
  ]);
  const versions = z.union([z.string(), z.array(z.string())]).parse(JSON.parse(stdout));
  const newest = [versions].flat().sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return newest.at(-1) ?? major;
}
