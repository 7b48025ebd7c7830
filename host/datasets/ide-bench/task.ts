import { join } from 'node:path';
import { madeTask, type Entry, type Task } from '../../tasks/index.ts';
import type { DatasetAbout } from '../contract.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { falseSolutionsOf } from './false-solutions.ts';
import { scriptThatApplies } from './diff.ts';
import { partsOf, readRecord, type IdeBenchRecord } from './record.ts';
import type { CodeBase } from './folders.ts';
import { toolchainOfBase } from './toolchain.ts';

/** Seconds of one run of `run_tests.sh`; a pass takes two, and the reference may need one more. */
const runSeconds = 600;
const agentSeconds = 7200;

/** A task folder of a code base as a task. */
export async function ideBenchTask(about: DatasetAbout, base: CodeBase, task: string): Promise<Task> {
  const record = await readRecord(base, task);
  const { description, diff } = record;
  const { workspace, restored } = await partsOf(record);
  const { languages, missing } = await toolchainOfBase(base.path);
  const lacking = [...missing, ...languages.map((one) => `--with ${one}`)];
  const config = configOf(about, {
    agentSeconds,
    testSeconds: 4 * runSeconds,
    knownInside: [...knownInside(restored, workspace), ...(lacking.length > 0 ? ['tests/base'] : [])],
  });
  return madeTask({
    id: taskId(about, `${base.name}-${task}`),
    path: join(base.path, 'tasks', task),
    instruction: instructionOf(record),
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
    root: [{ kind: 'link', path: 'app', target: '/workspace' }],
    tests: await testsOf(about, record, restored, workspace, lacking),
    solutions: [{ name: 'gold', text: scriptThatApplies(diff) }],
    falseSolutions: falseSolutionsOf(record),
  });
}

async function testsOf(
  about: DatasetAbout,
  { task, testFile, runner, touched, diff }: IdeBenchRecord,
  restored: readonly Entry[],
  workspace: readonly Entry[],
  missing: readonly string[],
): Promise<Entry[]> {
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
  const below = (folder: string, entries: readonly Entry[]) =>
    entries.map((entry): Entry => ({ ...entry, path: `${folder}/${entry.path}` }));
  return [
    ...(await pythonTests(about, { 'record.json': JSON.stringify(record) })),
    ...below('tree', restored),
    // For the reference, which shows whether the task can be graded here.
    ...(missing.length > 0
      ? [
          ...below('base', workspace),
          { kind: 'file' as const, path: 'gold.diff', content: diff, executable: false },
        ]
      : []),
  ];
}

/** The files that tests and agent have in common: the code base, with its own tests. */
function knownInside(restored: readonly Entry[], workspace: readonly Entry[]): string[] {
  const inside = new Set(workspace.map(({ path }) => path));
  return restored.flatMap(({ path }) => (inside.has(path) ? [`tests/tree/${path}`] : []));
}

function instructionOf({ description, task, runner }: IdeBenchRecord): string {
  return [
    `The code base in \`/workspace\`, which is \`/app\` as well, needs the following change.`,
    description.statement,
    `Make it in the files of the code base and save them. Hidden tests run afterwards, by \`./run_tests.sh ${task}\` with ${runner}; what is in \`tests\` and files that configure the tests are put back as they were first.`,
  ].join('\n\n');
}
