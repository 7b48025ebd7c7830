import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { isFile, packageFolder } from '../../../lib/index.ts';
import {
  type ArchiveEntry,
  makeTask,
  makeTextEntry,
  readTreeEntries,
  type Task,
} from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  makeRecordConfig,
  makeTaskId,
  noData,
  openRecords,
  packPythonTests,
  readDataText,
  readRecords,
} from '../records/index.ts';

const about: DatasetAbout = {
  name: 'pwp-folder',
  title: "Folders of PwP's own format",
  family: 'any',
  records: 0,
  source: 'https://github.com/ProgrammingWithPixels/PwP/tree/main/pwp_bench',
  licence: 'of each folder',
  metric: "what the folder's own evaluation script answers",
  agentCode: 'beside',
  files: ['<family>/{data.json or data.jsonl,setup_files/setup.py,setup_files/eval.py}'],
  needs: [
    'modules and images that an evaluation script imports or runs, beside those of the image: else there is no score',
  ],
};

const pwpRecordSchema = z.looseObject({
  task_description: z.string().min(1).describe('the instruction'),
  setup_script: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'expected a name in setup.py')
    .optional(),
  eval_script: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'expected a name in eval.py')
    .optional(),
  eval_arguments: z.string().optional().describe('a list as Python writes it'),
});
type PwpRecord = z.output<typeof pwpRecordSchema>;

interface RecordFamily {
  /** Absolute. */
  readonly path: string;
  /** The file of its records. */
  readonly file: string;
}

interface FamilyRecord {
  readonly family: RecordFamily;
  /** From 0, in the file. */
  readonly number: number;
  readonly row: PwpRecord;
}

/** Records without a task_description are of another dataset, e.g. of one of the others here. */
export const pwpFolder: Dataset = {
  about,
  open: async (path) => {
    const families = await findFamilies(resolve(path));
    if (families.length === 0) throw noData(about, join(resolve(path), 'data.json and setup_files/eval.py'));
    const read = await Promise.all(families.map(readFamilyRecords));
    return openRecords({
      ...{
        about,
        file: path,
        records: read.flatMap(({ records }) => records),
        idOf: makeRecordId,
        taskOf: makeRecordTask,
      },
      unreadable: new Map(read.flatMap(({ unreadable }) => unreadable)),
      lacking: new Map((await Promise.all(read.map(leaveOutWindows))).flat()),
    });
  },
};

function makeRecordId({ family, number }: FamilyRecord): string {
  return `${basename(family.path)}-${number}`;
}

async function findFamilies(path: string): Promise<RecordFamily[]> {
  const own = await findFamily(path);
  if (own) return [own];
  const children = await readdir(path, { withFileTypes: true }).catch(() => []);
  const folders = children.filter((child) => child.isDirectory()).map(({ name }) => join(path, name));
  const found = await Promise.all(folders.sort().map(findFamily));
  return found.filter((one) => one !== undefined);
}

async function findFamily(path: string): Promise<RecordFamily | undefined> {
  if (!(await isFile(join(path, 'setup_files/eval.py')))) return undefined;
  for (const name of ['data.jsonl', 'data.json'])
    if (await isFile(join(path, name))) return { path, file: join(path, name) };
  return undefined;
}

/** A family whose file can't be read at all is left out as a whole. */
async function readFamilyRecords(family: RecordFamily) {
  const name = basename(family.path);
  try {
    const { numbered, unreadable } = await readRecords(family.file, pwpRecordSchema);
    return {
      records: numbered.map(({ record: row, index: number }): FamilyRecord => ({ family, number, row })),
      unreadable: [...unreadable].map(([where, why]): [string, string] => [`${name}, ${where}`, why]),
    };
  } catch (error) {
    if (!(error instanceof PwpError)) throw error;
    const unreadable: [string, string][] = [[name, error.message]];
    return { records: [], unreadable };
  }
}

/** The records of one family whose evaluation can't be made here, and why. */
async function leaveOutWindows({ records }: { readonly records: readonly FamilyRecord[] }) {
  const [first] = records;
  if (!first) return [];
  const script = await readDataText(join(first.family.path, 'setup_files/eval.py'));
  return records.flatMap((one): [string, string][] =>
    opensWindow(script, one.row.eval_script ?? 'eval')
      ? [
          [
            makeRecordId(one),
            'its evaluation opens a window of VS Code, and there is no desktop where tests run',
          ],
        ]
      : [],
  );
}

async function makeRecordTask(numbered: FamilyRecord): Promise<Task> {
  const { family, row } = numbered;
  const agentCode = (await runsCommands(family)) ? about.agentCode : 'nowhere';
  const { config, tests } = {
    config: makeRecordConfig(about, { testSeconds: 600, agentCode }),
    tests: await packTests(numbered),
  };
  return makeTask({
    id: makeTaskId(about, makeRecordId(numbered)),
    path: family.file,
    instruction: `${row.task_description}\n\nFiles belong in \`/workspace\`, which is \`/home/devuser/evaluation\` as well; \`/home/devuser\` is your home.`,
    config: { ...config, pwp: { ...config.pwp, setup: await makeSetup(numbered) } },
    workspace: [],
    root: [{ kind: 'link', path: 'home/devuser', target: '/root' }],
    home: rootLinks,
    tests,
    solutions: [],
    falseSolutions: [
      { name: 'claims', why: 'It only says that it is done.', text: 'echo done > /workspace/done.txt\n' },
    ],
  });
}

/** Whether its evaluation runs commands in its container: what the agent left then answers for itself. */
async function runsCommands({ path }: RecordFamily): Promise<boolean> {
  const scripts = await readTreeEntries(path, 'setup_files');
  return scripts.some(
    (entry) =>
      entry.kind === 'file' &&
      entry.path.endsWith('.py') &&
      entry.path !== 'setup.py' &&
      /\.(?:run_command|step)\(/.test(Buffer.from(entry.content).toString('utf8')),
  );
}

/** Where the scripts look for the folder of the task and for VS Code's settings, in the home that they know. */
const rootLinks: readonly ArchiveEntry[] = [
  { kind: 'link', path: 'evaluation', target: defaultWorkspace },
  { kind: 'link', path: '.config/Code - OSS/User', target: '/ide/data/User' },
  { kind: 'link', path: 'project', target: defaultWorkspace },
];

async function packTests({ family, row }: FamilyRecord): Promise<ArchiveEntry[]> {
  const scripts = await readTreeEntries(family.path, 'setup_files');
  return [
    ...(await packPythonTests(about, { 'row.json': JSON.stringify(row) })),
    ...scripts.map((entry) => ({ ...entry, path: `setup_files/${entry.path}` })),
    makeTextEntry('family.txt', basename(family.path)),
  ];
}

/** A script that leaves nothing of itself: it reaches Python by its standard input. */
async function makeSetup({ family, row }: FamilyRecord): Promise<string> {
  const file = join(family.path, 'setup_files/setup.py');
  if (!(await isFile(file))) return 'true\n';
  const data = { row, setup: await readDataText(file), container: await readGraderFile('container.py') };
  const packed = Buffer.from(JSON.stringify(data)).toString('base64');
  return `python3 -I - <<'END'\nDATA = "${packed}"\n${await readGraderFile('set_up.py')}\nEND\n`;
}

function readGraderFile(name: string): Promise<string> {
  return readFile(
    join(packageFolder(import.meta.url), 'host/tasks/datasets/pwp-folder/grader', name),
    'utf8',
  );
}

/** A command that starts or moves windows, in a script's call; `code --list-extensions` is answered without one. */
const desktopCallPattern =
  /\.(?:run_command|step)\(\s*\[?\s*[frbu]*['"]\s*(?:code\b(?!\s+--list-extensions)|wmctrl\b|xdotool\b|xrandr\b|scrot\b)/;

/**
 * Whether a function of an evaluation script needs a desktop, which nothing has where the tests run.
 * @param script Python
 * @param name of a function at its top
 */
function opensWindow(script: string, name: string): boolean {
  const from = script.search(new RegExp(`^def ${name}\\(`, 'm'));
  if (from < 0) return false;
  const [own = ''] = script.slice(from + 1).split(/^(?:def|class|@)/m);
  return desktopCallPattern.test(own);
}
