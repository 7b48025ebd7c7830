import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunVariant } from '../../../host/tasks/format/make-variant.ts';
import {
  hashHistoryResource,
  makeGitRepository,
  makeLocalHistory,
  Random,
} from '../../../host/tasks/format/variant-tools.ts';
import { findTasks, loadTask } from '../../../host/tasks/index.ts';
import { runVariantHere, wholeHere } from '../../support/run-variant.ts';
import { taskFiles, tempFolder } from './folder.ts';
import { readArchive } from './read-archive.ts';

const variant = `
export default ({ seed, random }) => ({
  files: {
    'environment/workspace/a.txt': 'seed ' + seed + '\\n',
    'environment/ide/note.txt': 'kept',
    'tests/expected.json': JSON.stringify({ seed, drawn: random.int(1, 1_000_000) }),
  },
  words: { name: 'Ada' + seed, count: seed + 1 },
});
`;

const files = {
  ...taskFiles('f/t'),
  'f/t/environment/workspace/a.txt': 'on disk',
  'f/t/instruction.md': 'Ask {{name}} {{count}} times.',
  'f/t/solution/solve.sh': 'echo {{name}}\n',
  'f/t/false-solutions/wrong.sh': '# It is not {{name}}.\n',
  'f/t/variant.mjs': variant,
};

describe('a task with variants', () => {
  const load = async (changes: Record<string, string> = {}, seed?: number) => {
    await using folder = await tempFolder({ ...files, ...changes });
    const task = await wholeHere(
      await loadTask(join(folder.path, 'f/t'), seed === undefined ? {} : { seed }),
    );
    const seeds = [...(await task.seeds()), ...(await task.testSeeds())];
    const trees = await Promise.all(
      seeds.map(async ({ path, tar }) => [path, await readArchive(tar)] as const),
    );
    return { task, trees: new Map(trees), solutions: [await task.solutions(), await task.falseSolutions()] };
  };

  it('has its files on top of those on disk, and its words in instruction and solutions', async () => {
    const { task, trees, solutions } = await load({}, 3);
    assert.equal(task.seed, 3);
    assert.equal(task.instruction, 'Ask Ada3 4 times.');
    assert.equal(trees.get('/workspace')?.get('a.txt')?.text, 'seed 3\n');
    assert.equal(trees.get('/ide')?.get('note.txt')?.text, 'kept');
    assert.match(trees.get('/tests')?.get('expected.json')?.text ?? '', /^\{"seed":3,"drawn":\d+\}$/);
    assert.ok(trees.get('/tests')?.has('test.sh'));
    assert.deepEqual(
      solutions.flat().map(({ text }) => text),
      ['echo Ada3\n', '# It is not Ada3.\n'],
    );
  });

  it('is the same for the same seed, 0 by default, and differs for another', async () => {
    const [none, zero, one] = await Promise.all([load(), load({}, 0), load({}, 1)]);
    const expected = ({ trees }: Awaited<ReturnType<typeof load>>) =>
      trees.get('/tests')?.get('expected.json')?.text;
    assert.equal(expected(none), expected(zero));
    assert.notEqual(expected(zero), expected(one));
  });

  it('has no seed without a variant.mjs, and its words stay unchanged', async () => {
    await using folder = await tempFolder(taskFiles('f/t'));
    await folder.write({ 'f/t/instruction.md': 'Type {{name}}.' });
    const { seed, instruction } = await loadTask(join(folder.path, 'f/t'), { seed: 5 });
    assert.deepEqual([seed, instruction], [null, 'Type {{name}}.']);
  });

  it('is listed from its files, without running any of them', async () => {
    await using folder = await tempFolder({
      ...files,
      'f/t/variant.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('ran', import.meta.url), '');\n${variant}`,
    });
    const path = join(folder.path, 'f/t');
    const [task] = await findTasks([folder.path], { seed: 3 });
    assert.ok(task?.make);
    assert.deepEqual([task.id, task.seed, task.instruction], ['f/t', 3, 'Ask {{name}} {{count}} times.']);
    assert.equal(task.config.metadata.difficulty, 'easy');
    const uses = ['seeds', 'testSeeds', 'solutions', 'falseSolutions', 'leaks'] as const;
    for (const use of uses)
      await assert.rejects(task[use](), { code: 'variant-not-made', message: /f\/t has a variant\.mjs/ });
    assert.equal(existsSync(join(path, 'ran')), false);
  });

  it('is made once, and again if that failed', async () => {
    await using folder = await tempFolder(files);
    const task = await loadTask(join(folder.path, 'f/t'));
    let runs = 0;
    const run: RunVariant = (program) => {
      runs += 1;
      if (runs === 1) return Promise.reject(new Error('no sandbox'));
      return runVariantHere(program);
    };
    await assert.rejects(async () => task.make?.(run), /no sandbox/);
    const [one, two] = await Promise.all([task.make?.(run), task.make?.(run)]);
    assert.ok(one);
    assert.equal(one, two);
    assert.equal(one.make, undefined);
    assert.equal(runs, 2);
  });

  it("gets its own folder and the family's lib, and nothing else", async () => {
    await using folder = await tempFolder({
      ...files,
      'f/lib/shared.mjs': 'export const name = "Eve";',
      'f/secret.txt': 'secret',
      'f/t/variant.mjs':
        'import { name } from "../lib/shared.mjs"; export default () => ({ words: { name, count: 1 } });',
    });
    const task = await loadTask(join(folder.path, 'f/t'));
    const given: string[] = [];
    const run: RunVariant = async (program) => {
      for (const { path, tar } of program.seeds)
        given.push(...[...(await readArchive(tar)).keys()].map((name) => join(path, name)));
      return await runVariantHere(program);
    };
    assert.equal((await task.make?.(run))?.instruction, 'Ask Eve 1 times.');
    assert.ok(given.includes('/variant/lib/shared.mjs') && given.includes('/variant/t/variant.mjs'));
    assert.deepEqual(
      given.filter((path) => path.includes('secret')),
      [],
    );
  });

  const wrong: Record<string, [program: string, message: RegExp]> = {
    throws: ['export default () => { throw new Error("no luck"); };', /seed 0: Error: no luck/],
    'is not JavaScript': ['export default {', /SyntaxError/],
    'has no function': ['export const variant = 1;', /expected a function as its default export/],
    'leaves the folder': [
      'export default () => ({ files: { "tests/../../x": "" } });',
      /expected a path below/,
    ],
    'changes task.toml': ['export default () => ({ files: { "task.toml": "" } });', /expected a path below/],
    'draws its own random': [
      'export default () => ({ words: { x: Math.random() } });',
      /Math.random differs/,
    ],
    'forgets a word': ['export default () => ({ words: { count: 1 } });', /found \{\{name\}\}/],
  };
  for (const [what, [program, message]] of Object.entries(wrong)) {
    it(`is reported when it ${what}`, async () => {
      await assert.rejects(load({ 'f/t/variant.mjs': program }), { code: 'bad-task', message });
    });
  }
});

describe('random numbers of a variant', () => {
  it('follow from the seed and stay within their bounds', () => {
    const draw = (seed: number) => {
      const random = new Random(seed);
      return Array.from({ length: 200 }, () => random.int(3, 9));
    };
    assert.deepEqual(draw(1), draw(1));
    assert.notDeepEqual(draw(1), draw(2));
    assert.deepEqual([...new Set(draw(1))].sort(), [3, 4, 5, 6, 7, 8, 9]);
  });

  it('shuffle, sample and pick from a list without changing it', () => {
    const list = ['a', 'b', 'c', 'd'] as const;
    const random = new Random(0);
    assert.deepEqual(random.shuffle(list).sort(), list);
    assert.equal(new Set(random.sample(list, 3)).size, 3);
    assert.ok(list.includes(random.pick(list)));
    assert.throws(() => random.pick([]), /nothing to pick/);
  });
});

describe('the files that a variant makes', () => {
  it('include a repository that Git can read, with an index that differs from its commits', async () => {
    const repository = makeGitRepository({
      commits: [
        { message: 'first', timestamp: 1e12, files: { 'a.txt': 'one\n' } },
        { message: 'second', timestamp: 1e12 + 60_000, files: { 'a.txt': 'two\n', 'b.txt': 'b\n' } },
      ],
      index: { 'a.txt': 'three\n', 'b.txt': 'b\n' },
    });
    await using folder = await tempFolder();
    await folder.write({ 'environment/workspace/a.txt': 'four\n', 'environment/workspace/b.txt': 'b\n' });
    await folder.write(repository);
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', join(folder.path, 'environment/workspace'), ...words], { encoding: 'utf8' });
    assert.equal(git('log', '--format=%s'), 'second\nfirst\n');
    assert.equal(git('show', 'HEAD:a.txt'), 'two\n');
    assert.equal(git('show', ':a.txt'), 'three\n');
    assert.equal(git('status', '--short'), 'MM a.txt\n');
    git('fsck', '--strict');
  });

  it("include VS Code's local history, found by its hash of the file", () => {
    const laid = makeLocalHistory({
      path: 'src/a.py',
      entries: [
        { content: 'one', timestamp: 1 },
        { content: 'two', timestamp: 2, source: 'Rename' },
      ],
    });
    const index = Object.entries(laid).find(([path]) => path.endsWith('/entries.json'));
    const { entries } = JSON.parse(String(index?.[1])) as { entries: { id: string; timestamp: number }[] };
    const folder = index?.[0].replace('/entries.json', '') ?? '';
    assert.deepEqual(
      entries.map(({ id }) => laid[`${folder}/${id}`]),
      ['one', 'two'],
    );
    assert.ok(entries.every(({ id }) => id.endsWith('.py')));
    assert.equal(hashHistoryResource(''), '247a9');
  });
});
