import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import {
  type ArchiveEntry,
  type MadeFalseSolution,
  makeTask,
  moveEntriesBelow,
  type Task,
} from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  findRepeatedIds,
  makeRecordConfig,
  makeTaskId,
  packPythonTests,
  readDataText,
} from '../records/index.ts';
import { type BaseToolchain, findToolchain, readImageName, readRequirements } from './base-toolchain.ts';
import {
  type CodeBase,
  findCodeBases,
  type IdeBenchRecord,
  type IdeBenchRunner,
  makeDiffScript,
  readIdeBenchRecord,
  splitCodeBase,
} from './ide-bench-record.ts';

const about: DatasetAbout = {
  name: 'ide-bench',
  title: 'IDE-Bench',
  family: 'IDE-Bench',
  records: 80,
  source: 'https://www.ide-bench.com',
  licence: 'none stated',
  metric: 'run_tests.sh of the code base succeeds for the task, in a sandbox that the agent never touched',
  agentCode: 'beside',
  files: [
    'datasets/<name>/{Dockerfile,run_tests.sh,tasks/<task>/{task_description.txt,task_diff.txt,task_tests.*}}',
  ],
  needs: [
    'C and C++, Go, Rust, Java, or what charts and tables in Python need, where a Dockerfile asks for it: --with cpp,go,rust,java,charts (docs/languages.md)',
    'further packages of a Dockerfile, e.g. of pip, are not installed: a task whose reference fails for that has no score',
    'Maven finds what Debian has, one version of each artifact: a POM that asks for another one fails',
  ],
};

export const ideBenchDataset: Dataset = {
  about,
  open: async (path) => {
    const bases = await findCodeBases(about, path);
    const all = bases.flatMap((base) =>
      base.tasks.map((task) => ({ id: `${base.name}/${task}`, base, task })),
    );
    const repeated = findRepeatedIds(all.map(({ id }) => id));
    const records = all.filter((_, index) => !repeated.has(index));
    return {
      ids: records.map(({ id }) => id),
      lacking: new Map([...repeated].map(([index, why]) => [`${all[index]?.id} (${index + 1})`, why])),
      load: async (id) => {
        const found = records.find((one) => one.id === id);
        if (found) return await makeIdeBenchTask(about, found.base, found.task);
        throw new PwpError('no-such-record', `${about.title} has no task ${id} in ${path}`, {
          help: `pwp datasets list ${about.name} --data ${path} lists all.`,
        });
      },
    };
  },
};

/** Seconds of one run of `run_tests.sh`; a pass takes two, and the reference may need one more. */
const runSeconds = 600;
const agentSeconds = 7200;

/** A task folder of a code base as a task. */
async function makeIdeBenchTask(about: DatasetAbout, base: CodeBase, task: string): Promise<Task> {
  const record = await readIdeBenchRecord(base, task);
  const { description, diff } = record;
  const { workspace, restored } = await splitCodeBase(record);
  const { languages, missing } = await findBaseToolchain(base.path);
  const lacking = [...missing, ...languages.map((one) => `--with ${one}`)];
  const config = makeRecordConfig(about, {
    agentSeconds,
    testSeconds: 4 * runSeconds,
    knownInside: [...listKnownInside(restored, workspace), ...(lacking.length > 0 ? ['tests/base'] : [])],
  });
  return makeTask({
    id: makeTaskId(about, `${base.name}-${task}`),
    path: join(base.path, 'tasks', task),
    instruction: writeInstruction(record),
    config: {
      ...config,
      metadata: {
        ...config.metadata,
        author_name: description.author ?? config.metadata.author_name,
        author_email: description.email ?? config.metadata.author_email,
        difficulty: description.difficulty,
        category: description.category,
        tags: [...description.tags],
        languages: [...languages],
        lacking: [...missing],
      },
      pwp: { ...config.pwp, tools: 'ide-bench' },
    },
    workspace,
    root: [{ kind: 'link', path: 'app', target: defaultWorkspace }],
    tests: await packTests(about, record, restored, workspace, lacking),
    solutions: [{ name: 'gold', text: makeDiffScript(diff) }],
    falseSolutions: makeFalseSolutions(record),
  });
}

async function packTests(
  about: DatasetAbout,
  { task, testFile, runner, touched, diff }: IdeBenchRecord,
  restored: readonly ArchiveEntry[],
  workspace: readonly ArchiveEntry[],
  missing: readonly string[],
): Promise<ArchiveEntry[]> {
  const record = {
    task,
    runner,
    missing,
    test_file: testFile,
    kept: touched,
    own: [...new Set(workspace.map(({ path }) => path.split('/', 1)[0]))],
    replaced: [
      'tests',
      ...(restored.some(({ path }) => path.startsWith('node_modules/')) ? ['node_modules'] : []),
    ],
    seconds: runSeconds,
  };
  return [
    ...(await packPythonTests(about, { 'record.json': JSON.stringify(record) })),
    ...moveEntriesBelow('tree', restored),
    // For the reference, which shows whether the task can be graded here.
    ...(missing.length > 0
      ? [
          ...moveEntriesBelow('base', workspace),
          { kind: 'file' as const, path: 'gold.diff', content: diff, executable: false },
        ]
      : []),
  ];
}

/** The files that tests and agent have in common: the code base, with its own tests. */
function listKnownInside(restored: readonly ArchiveEntry[], workspace: readonly ArchiveEntry[]): string[] {
  const inside = new Set(workspace.map(({ path }) => path));
  return restored.flatMap(({ path }) => (inside.has(path) ? [`tests/tree/${path}`] : []));
}

function writeInstruction({ description, task, runner }: IdeBenchRecord): string {
  return [
    `The code base in \`/workspace\`, which is \`/app\` as well, needs the following change.`,
    description.statement,
    `Make it in the files of the code base and save them. Hidden tests run afterwards, by \`./run_tests.sh ${task}\` with ${runner}; what is in \`tests\` and files that configure the tests are put back as they were first.`,
  ].join('\n\n');
}

/** Wrong ways through a task, made up: the code stays as it is. */
function makeFalseSolutions({ runner }: IdeBenchRecord): MadeFalseSolution[] {
  return [
    {
      name: 'always-succeeds',
      why: 'It replaces run_tests.sh by a script that claims success.',
      text: `printf '#!/bin/bash\\necho "== 9 passed in 0.01s =="\\nexit 0\\n' > run_tests.sh\n`,
    },
    {
      name: 'patched-runner',
      why: 'It makes the runner report every test as passed.',
      text: runnerPatches[runner],
    },
  ];
}

const runnerPatches: Readonly<Record<IdeBenchRunner, string>> = {
  pytest: `cat > conftest.py <<'END'
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
END
`,
  jest: `cat > jest.config.js <<'END'
module.exports = { testMatch: [], passWithNoTests: true };
END
`,
  maven: `mkdir -p target/surefire-reports
cat > target/surefire-reports/TEST-all.xml <<'END'
<testsuite><testcase classname="all" name="all"/></testsuite>
END
`,
};

/** The needs of a code base: of its Dockerfile, and of the requirements that it copies. */
async function findBaseToolchain(path: string): Promise<BaseToolchain> {
  const dockerfile = (await readDataText(join(path, 'Dockerfile')))
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\s*\n/g, ' ');
  const requirements = await readDataText(join(path, 'requirements.txt')).catch(() => '');
  const images = [...dockerfile.matchAll(/^\s*FROM\s+(.+)$/gim)].map(([, rest = '']) => readImageName(rest));
  return findToolchain([...images, ...dockerfile.split('\n'), ...readRequirements(requirements)]);
}
