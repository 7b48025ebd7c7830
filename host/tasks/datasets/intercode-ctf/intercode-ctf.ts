import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isFolder, listUntrusted } from '../../../lib/index.ts';
import { type ArchiveEntry, makeTask, scriptThatWrites, type Task } from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  findData,
  findDataRoot,
  makeRecordConfig,
  makeTaskId,
  openRecords,
  packPythonTests,
  readData,
  readRecords,
} from '../records/index.ts';

const about: DatasetAbout = {
  name: 'intercode-ctf',
  title: 'InterCode-CTF',
  family: 'Domain-specific programming',
  records: 100,
  source: 'https://github.com/princeton-nlp/intercode/tree/master/data/ctf',
  licence: 'MIT; the challenges are picoCTF’s',
  metric: 'share of flags found, to the letter',
  agentCode: 'nowhere',
  files: ['ic_ctf.json', 'task_assets/<task_id>/'],
  needs: [
    'forensics tools that some challenges name, such as sleuthkit, tshark and binwalk: packages of Debian, not in the image',
    'a network for the few challenges that are on a server of picoCTF’s',
    'the file of task 1, which its record only links to: put it into task_assets/1',
  ],
};

/** A record as its owners publish it. */
const ctfRecordSchema = z.object({
  task_id: z.int().nonnegative(),
  query: z.string().min(1),
  gold: z.string().min(1).describe('the flag'),
  setup: z.string().optional().describe('a command that fetches a file or tool'),
});
type CtfRecord = z.output<typeof ctfRecordSchema>;

const answerFile = 'flag.txt';

export const intercodeCtf: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, ['ic_ctf.json']);
    const { records, unreadable } = await readRecords(file, ctfRecordSchema);
    const assets = join(dirname(file), 'task_assets');
    const named = records.map((record) => [String(record.task_id), record] as const);
    const missing = await Promise.all(
      named.map(async ([id, record]) => [id, await findMissingAsset(join(assets, id), record)] as const),
    );
    return openRecords({
      ...{ about, file, records, unreadable, idOf: readRecordId },
      taskOf: (record) => makeRecordTask(file, assets, record),
      lacking: new Map(missing.flatMap(([id, why]) => (why === undefined ? [] : [[id, why]]))),
    });
  },
};

const readRecordId = ({ task_id: id }: CtfRecord) => String(id);

async function makeRecordTask(file: string, assets: string, record: CtfRecord): Promise<Task> {
  const { query, gold } = record;
  return makeTask({
    id: makeTaskId(about, readRecordId(record)),
    path: file,
    instruction: writeInstruction(query),
    // The flag is somewhere in the files: that is the game.
    config: makeRecordConfig(about, { knownInside: ['tests/flag.txt', 'solution/gold.sh'] }),
    workspace: () => readAssets(join(assets, readRecordId(record))),
    tests: await packPythonTests(about, { 'flag.txt': gold }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answerFile]: gold }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It is another flag.',
        text: scriptThatWrites({ [answerFile]: 'picoCTF{not_this_one}' }),
      },
    ],
  });
}

function writeInstruction(query: string): string {
  return `This is a challenge of a capture-the-flag game. Its files, if it has any, are in \`/workspace\`. Find the flag, which usually looks like \`picoCTF{…}\`, and write it into \`/workspace/${answerFile}\`: the flag alone, to the letter.

${query}`;
}

/** The folder in which the owners describe how a challenge is solved. */
const solutionFolder = 'solution';
/** Files by which the owners tell their own program what to leave out. */
const leftOutNames = new Set([solutionFolder, '.ignore', '.gitignore', '.DS_Store']);

/** The files of a challenge that an agent gets; none if it has no folder. */
async function readAssets(folder: string): Promise<ArchiveEntry[]> {
  const files = await listAssets(folder);
  return Promise.all(
    files.map(async (path): Promise<ArchiveEntry> => {
      const full = join(folder, path);
      const [content, { mode }] = await Promise.all([readData(full), stat(full)]);
      return { kind: 'file', path, content, executable: (mode & 0o100) !== 0 };
    }),
  );
}

/** The missing thing without which a challenge can't be played; undefined if nothing is missing. */
async function findMissingAsset(
  folder: string,
  { setup }: { readonly setup?: string | undefined },
): Promise<string | undefined> {
  if (!(await isFolder(folder))) return `${folder} is missing: the owners have a folder for each challenge`;
  // A challenge without files, and without a command that fetches some, is all in its question, or on a server.
  if (setup === undefined || (await listAssets(folder)).length > 0) return undefined;
  return `${folder} holds no file; its record has: ${setup}`;
}

async function listAssets(folder: string): Promise<string[]> {
  const listed = await listUntrusted(findDataRoot(folder), folder).catch(() => []);
  return listed
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .filter((path) => !path.split('/').some((part) => leftOutNames.has(part)))
    .sort();
}
