import { dirname, join } from 'node:path';
import * as z from 'zod';
import { madeTask, scriptThatWrites, type Task } from '../../tasks/index.ts';
import type { Dataset, DatasetAbout } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { readRecords } from '../records/index.ts';
import { assetsOf, missingAsset } from './assets.ts';

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
const ctfRecord = z.object({
  task_id: z.int().nonnegative(),
  query: z.string().min(1),
  gold: z.string().min(1).describe('the flag'),
  setup: z.string().optional().describe('a command that fetches a file or tool'),
});
export type CtfRecord = z.output<typeof ctfRecord>;

const answer = 'flag.txt';

export const intercodeCtf: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, ['ic_ctf.json']);
    const { records, unreadable } = await readRecords(file, ctfRecord);
    const assets = join(dirname(file), 'task_assets');
    const named = records.map((record) => [String(record.task_id), record] as const);
    const missing = await Promise.all(
      named.map(async ([id, record]) => [id, await missingAsset(join(assets, id), record)] as const),
    );
    return openRecords({
      ...{ about, file, records, unreadable, idOf },
      taskOf: (record) => taskOf(file, assets, record),
      lacking: new Map(missing.flatMap(([id, why]) => (why === undefined ? [] : [[id, why]]))),
    });
  },
};

const idOf = ({ task_id: id }: CtfRecord) => String(id);

async function taskOf(file: string, assets: string, record: CtfRecord): Promise<Task> {
  const { query, gold } = record;
  return madeTask({
    id: taskId(about, idOf(record)),
    path: file,
    instruction: instructionOf(query),
    // The flag is somewhere in the files: that is the game.
    config: configOf(about, { knownInside: ['tests/flag.txt', 'solution/gold.sh'] }),
    workspace: () => assetsOf(join(assets, idOf(record))),
    tests: await pythonTests(about, { 'flag.txt': gold }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answer]: gold }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It is another flag.',
        text: scriptThatWrites({ [answer]: 'picoCTF{not_this_one}' }),
      },
    ],
  });
}

function instructionOf(query: string): string {
  return `This is a challenge of a capture-the-flag game. Its files, if it has any, are in \`/workspace\`. Find the flag, which usually looks like \`picoCTF{…}\`, and write it into \`/workspace/${answer}\`: the flag alone, to the letter.

${query}`;
}
