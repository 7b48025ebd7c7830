import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';
import {
  type ArchiveEntry,
  type MadeFalseSolution,
  makeTask,
  makeTextEntry,
  moveEntriesBelow,
  type Task,
  type TaskParts,
} from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  findRepeatedIds,
  makeRecordConfig,
  makeTaskId,
  packPythonTests,
  toSafeName,
  writeBuildContext,
} from '../records/index.ts';
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
  metric:
    'run_tests.sh of the code base succeeds for the task, in its image, in a sandbox that the agent never touched',
  agentCode: 'beside',
  files: [
    'datasets/<name>/{Dockerfile,run_tests.sh,tasks/<task>/{task_description.txt,task_diff.txt,task_tests.*}}',
  ],
  needs: [
    'the image of each code base: built from its Dockerfile by buildah, without the tasks (docs/images.md)',
    'a task whose reference fails, e.g. because its tests need a network, has no score',
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

/** Where tests expect the code base, and its image has it. */
const codeFolder = '/app';
/** Seconds of one run of `run_tests.sh`; a pass takes two, and the reference may need one more. */
const runSeconds = 600;
const agentSeconds = 7200;

/** A task folder of a code base as a task in the image of the code base. */
async function makeIdeBenchTask(about: DatasetAbout, base: CodeBase, task: string): Promise<Task> {
  const record = await readIdeBenchRecord(base, task);
  const { description } = record;
  const parts = await splitCodeBase(record);
  const { context, added } = parts;
  const config = makeRecordConfig(about, {
    agentSeconds,
    testSeconds: 5 * runSeconds,
    knownInside: listKnownInside(parts),
    environment: { workdir: codeFolder },
    image: await writeBuildContext(toSafeName(base.name), context),
  });
  const made: TaskParts = {
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
      },
      pwp: { ...config.pwp, tools: 'ide-bench' },
    },
    workspace: added,
    tests: await packTests(about, record, parts),
    solutions: [{ name: 'gold', text: makeDiffScript(record.diff) }],
    falseSolutions: makeFalseSolutions(record),
  };
  // The agent also reads what the image has.
  const inside = makeTask({ ...made, workspace: [...context, ...added] });
  return { ...makeTask(made), leaks: () => inside.leaks() };
}

type CodeBaseParts = Awaited<ReturnType<typeof splitCodeBase>>;

async function packTests(
  about: DatasetAbout,
  { task, testFile, runner, touched, diff }: IdeBenchRecord,
  { added, restored }: CodeBaseParts,
): Promise<ArchiveEntry[]> {
  const record = {
    root: codeFolder,
    task,
    runner,
    test_file: testFile,
    kept: touched,
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
    ...moveEntriesBelow('reference/added', added),
    makeTextEntry('reference/solve.sh', makeDiffScript(diff)),
  ];
}

/** The files that tests and agent have in common: the code base, with its own tests. */
function listKnownInside({ context, added, restored }: CodeBaseParts): string[] {
  const inside = new Set(context.map(({ path }) => path));
  const common = restored.flatMap(({ path }) => (inside.has(path) ? [`tests/tree/${path}`] : []));
  return [...common, ...(added.some(({ kind }) => kind === 'file') ? ['tests/reference/added'] : [])];
}

function writeInstruction({ description, task, runner }: IdeBenchRecord): string {
  return [
    `The code base in \`${codeFolder}\` needs the following change.`,
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
