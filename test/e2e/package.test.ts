import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';
import { projectFolder } from '../support/cli.ts';
import {
  maxPackageBytes,
  type PackedPackage,
  unpackPackage,
  versionOf,
} from '../support/installed-package.ts';

const named = z.object({ bin: z.object({ pwp: z.string() }) });

describe('the package', function () {
  this.timeout(600_000);
  let installed: PackedPackage;
  before(async () => (installed = await unpackPackage()));
  after(() => installed[Symbol.asyncDispose]());

  it('is a small tarball, without tests and sources', () => {
    assert.ok(installed.bytes <= maxPackageBytes, `${installed.bytes} bytes`);
    // Prompts of models, graders of datasets and their false answers are read from the package's files; docs link to recipes.
    const read = String.raw`run\/agents\/prompts\/|tasks\/datasets\/(?:[\w-]+\/)?(grader\/\w+\.py|false-pages\/\w+\.html)$`;
    const foreign = new RegExp(
      `^(test|bench|host/(?!${read})|bridge|extension|examples/(?!scale/)|dist/types)`,
    );
    assert.deepEqual(
      installed.paths.filter((path) => foreign.test(path)),
      [],
    );
  });

  it('has every file that sandboxes and nodes need, and every task', async () => {
    const paths = new Set(installed.paths);
    const graders = (await filesBelow('host/tasks/datasets')).filter((path) => path.endsWith('.py'));
    const wanted = [...(await filesBelow('images')), ...(await filesBelow('tasks')), ...graders];
    assert.deepEqual(
      wanted.filter((path) => !paths.has(path)),
      [],
    );
    for (const path of ['node.js', 'bridge.cjs', 'checkpoint-worker.js', 'checks.mjs', 'variant.mjs'])
      assert.ok(paths.has(`dist/${path}`), `dist/${path}`);
  });

  it('can be imported by subject', async () => {
    const paths = ['', '/node', '/env', '/study', '/analysis', '/tools'];
    const load = `import('programming-with-pixels' + path).then((all) => Object.keys(all).length)`;
    const code = `console.log(JSON.stringify(await Promise.all(${JSON.stringify(paths)}.map((path) => ${load}))))`;
    const { stdout } = await execa(process.execPath, ['-e', code], { cwd: installed.project });
    const counts = z.array(z.number()).parse(JSON.parse(stdout));
    assert.ok(counts.length === paths.length && counts.every((count) => count > 0), stdout);
  });

  it('runs with nothing but the dependencies that it declares', async () => {
    const place = join(installed.project, 'node_modules/programming-with-pixels');
    const { bin } = named.parse(JSON.parse(await readFile(join(place, 'package.json'), 'utf8')));
    assert.deepEqual(Object.keys(bin), ['pwp']);
    const { stdout } = await execa(process.execPath, [join(place, bin.pwp), '--version']);
    assert.equal(stdout, await versionOf('.'));
    // Loads the files of all commands.
    const help = await execa(process.execPath, [join(place, bin.pwp), '--help']);
    assert.match(help.stdout, /^ {2}doctor /m);
  });

  it('begins without the files of its commands, and without any package', async () => {
    const place = join(installed.project, 'node_modules/programming-with-pixels/dist');
    const loaded = await staticImports(join(place, 'cli.js'));
    const packages = [...loaded].filter((name) => !name.startsWith('/') && !isBuiltin(name));
    assert.deepEqual(packages, []);
    const sizes = await Promise.all(
      [...loaded].filter(isAbsolute).map(async (path) => (await stat(path)).size),
    );
    const all = (await readdir(place)).filter((name) => name.startsWith('shared-'));
    const whole = await Promise.all(all.map(async (name) => (await stat(join(place, name))).size));
    assert.ok(sum(sizes) < sum(whole) / 4, `${sum(sizes)} of ${sum(whole)} bytes`);
  });

  it('has the licenses of the packages in its bundles', async () => {
    const place = join(installed.project, 'node_modules/programming-with-pixels');
    const text = await readFile(join(place, 'dist/third-party-licenses.txt'), 'utf8');
    for (const name of ['execa', 'commander', 'ws']) assert.match(text, new RegExp(`^# ${name}$`, 'm'));
  });
});

/** What a built file loads before its first line: absolute paths of files, and names of packages. */
async function staticImports(file: string, found = new Set<string>()): Promise<Set<string>> {
  found.add(file);
  const text = await readFile(file, 'utf8');
  for (const [, name = ''] of text.matchAll(
    /(?:^|[;\n}])(?:import|export)(?:[^"'();]*?from)?\s*"([^"]+)"/g,
  )) {
    const target = name.startsWith('.') ? join(file, '..', name) : name;
    if (found.has(target)) continue;
    if (isAbsolute(target)) await staticImports(target, found);
    else found.add(target);
  }
  return found;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Paths of files below a folder of the project, relative to the project. */
async function filesBelow(name: string): Promise<string[]> {
  const entries = await readdir(join(projectFolder, name), { recursive: true });
  const paths = entries.map((entry) => join(name, entry));
  const infos = await Promise.all(paths.map((path) => stat(join(projectFolder, path))));
  return paths.filter((_, index) => infos[index]?.isFile());
}
