import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describeError } from '../../../bridge/lib/index.ts';
import { readHarborConfig } from '../../../host/tasks/datasets/harbor/harbor-config.ts';
import { exportToHarbor, findTasks } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { namedByHarbor, refusedByHarbor, wholeTask } from '../../support/harbor-toml.ts';
import { wholeHere } from '../../support/run-variant.ts';

/** A Python that Harbor can be installed for; undefined without one. */
async function findPython(): Promise<string | undefined> {
  const versions = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = (await readdir(versions).catch(() => [])).map((name) =>
    join(versions, name, 'bin/python3'),
  );
  for (const python of ['python3', 'python3.14', 'python3.13', 'python3.12', ...ofPyenv.toReversed()]) {
    const asked = await execa(python, ['-c', 'import sys; print(sys.version_info >= (3, 12))'], {
      reject: false,
    });
    if (asked.stdout === 'True') return python;
  }
  return undefined;
}

/** Loads each folder as Harbor does before it runs it. */
const load = `
import json, sys
from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_verifier_environment_definition
for path in sys.argv[1:]:
    assert Task.is_valid_dir(path), path
    task = Task(path)
    verifier = resolve_verifier_environment_definition(task.config, task.paths)
    print(json.dumps([task.name, task.config.schema_version, verifier is not None and not verifier.bundled_tests]))
`;

/** What its model and its lint say of texts. */
const judge = `
import json, sys, tomllib, warnings
from harbor.lint.task import _unknown_fields
from harbor.models.task.config import TaskConfig
warnings.simplefilter('ignore')
for text in json.load(sys.stdin):
    try:
        config = json.loads(TaskConfig.model_validate_toml(text).model_dump_json(exclude_none=True))
    except ValueError:
        config = None
    print(json.dumps({'config': config, 'unknown': _unknown_fields(tomllib.loads(text), TaskConfig)}))
`;
interface Judged {
  readonly config: Record<string, unknown> | null;
  readonly unknown: readonly string[];
}

describe("Harbor's own program", function () {
  this.timeout(900_000);
  let folder: TemporaryFolder;
  let bin: (name: string) => string;
  before(async function () {
    folder = await temporaryFolder();
    bin = (name) => folder.file(`venv/bin/${name}`);
    try {
      const python = await findPython();
      if (python === undefined) throw new Error('there is no Python from 3.12 on');
      await execa(python, ['-m', 'venv', folder.file('venv')]);
      await execa(bin('python'), [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        'harbor>=0.26',
      ]);
    } catch (error) {
      console.log(
        `      needs Python from 3.12 on with venv, and PyPI: ${describeError(error).slice(0, 200)}`,
      );
      this.skip();
    }
  });
  after(() => folder[Symbol.asyncDispose]());

  async function judgeTexts(texts: readonly string[]): Promise<Judged[]> {
    const { stdout } = await execa(bin('python'), ['-c', judge], { input: JSON.stringify(texts) });
    return stdout.split('\n').map((line) => JSON.parse(line) as Judged);
  }

  it('finds nothing in exported tasks, and loads them', async () => {
    const exported: string[] = [];
    for (const task of await findTasks(['tasks'])) {
      const { folder: written } = await exportToHarbor(await wholeHere(task), folder.file('exported'));
      if (written !== null) exported.push(written);
    }
    assert.ok(exported.length >= 31, `${exported.length} tasks`);
    const linted = await execa(bin('harbor'), ['lint', ...exported], { reject: false });
    assert.deepEqual([linted.exitCode, linted.stdout], [0, ''], linted.stderr);
    const { stdout } = await execa(bin('python'), ['-c', load, ...exported]);
    const loaded = stdout.split('\n').map((line) => JSON.parse(line) as unknown[]);
    assert.equal(loaded.length, exported.length);
    for (const [name, version, isApart] of loaded) {
      assert.match(String(name), /^pwp\//);
      assert.deepEqual([version, isApart], ['1.4', true], String(name));
    }
  });

  it('refuses and names the same in a task.toml', async () => {
    const texts = refusedByHarbor.map(([toml]) => toml);
    const judged = await judgeTexts([...texts, namedByHarbor.toml]);
    for (const [index, toml] of texts.entries()) assert.equal(judged[index]?.config, null, toml);
    const { unknown = [] } = judged.at(-1) ?? {};
    const named = unknown.map((line) => /'([^']+)'/.exec(line)?.[1] ?? line);
    assert.deepEqual(named.toSorted(), namedByHarbor.fields);
  });

  it('reads the same values', async () => {
    const [judged] = await judgeTexts([wholeTask]);
    assert.deepEqual(judged?.unknown, []);
    const read = readHarborConfig('task.toml', wholeTask);
    assert.ok(read);
    const { schema_version: version, ...own } = read.config;
    assert.equal(version, judged.config?.['schema_version']);
    const here: unknown = JSON.parse(JSON.stringify(own));
    assertHas(judged.config, here, '');
  });
});

/** Every value here has the same name and value there; what is empty there may be left out. */
function assertHas(there: unknown, here: unknown, path: string): void {
  if (Array.isArray(here) && Array.isArray(there)) {
    assert.equal(there.length, here.length, path);
    here.forEach((one, index) => {
      const other: unknown = there[index];
      assertHas(
        typeof other === 'string' && typeof one === 'object' ? { source: other } : other,
        one,
        `${path}[${index}]`,
      );
    });
  } else if (typeof here === 'object' && here !== null) {
    for (const [name, value] of Object.entries(here as Record<string, unknown>)) {
      const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
      const other = (there as Record<string, unknown> | undefined)?.[name];
      if (other === undefined && (isEmpty || defaults.includes(name))) continue;
      assertHas(other, value, `${path}.${name}`);
    }
  } else assert.deepEqual(there, here, path);
}

/** Fields that have a default here and are unset there. */
const defaults = ['multi_step_reward_strategy'];
