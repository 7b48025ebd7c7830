import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import {
  type ArchiveEntry,
  makeTask,
  openLargeFile,
  scriptThatWrites,
  type Task,
} from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  findData,
  makeRecordConfig,
  makeTaskId,
  openRecords,
  packPythonTests,
  readData,
  readRecords,
  resolveDataPath,
} from '../records/index.ts';

const about: DatasetAbout = {
  name: 'bird',
  title: 'BIRD',
  family: 'Domain-specific programming',
  records: 500,
  source: 'https://bird-bench.github.io (mini-dev, SQLite)',
  licence: 'CC BY-SA 4.0',
  metric: 'execution accuracy: the query gives the same set of rows as the owners’, within 30 s',
  agentCode: 'nowhere',
  files: ['mini_dev_sqlite.json', 'dev_databases/<db_id>/<db_id>.sqlite'],
  needs: ['about 1.5 GB of databases, which belong to their owners'],
};

/** A record as its owners publish it. */
const birdRecordSchema = z.object({
  question_id: z.int().nonnegative(),
  db_id: z.string().regex(/^\w+$/, 'expected the name of a database'),
  question: z.string().min(1),
  evidence: z.string(),
  SQL: z.string().min(1),
  difficulty: z.string().optional(),
});
type BirdRecord = z.output<typeof birdRecordSchema> & { readonly id: string };

const fileNames = ['mini_dev_sqlite.json', 'dev.json', 'data.json'];
const answerFile = 'solution.sql';

export const bird: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, fileNames);
    const read = await readRecords(file, birdRecordSchema);
    const records = nameRecords(read.records);
    const folder = dirname(file);
    const lacking = new Map<string, string>();
    const databases = new Map<string, string | undefined>();
    for (const { id, db_id: name } of records) {
      if (!databases.has(name)) databases.set(name, await findDatabase(folder, name));
      if (databases.get(name) === undefined)
        lacking.set(id, `${folder}/dev_databases/${name}/${name}.sqlite is missing`);
    }
    const place = ({ db_id: name }: BirdRecord) => databases.get(name);
    return openRecords({
      ...{ about, file, records, unreadable: read.unreadable, lacking },
      idOf: ({ id }) => id,
      taskOf: (record) => makeRecordTask(file, place(record), record),
    });
  },
};

/** Its owners' file has two questions twice; the second is `<question_id>-2`. */
function nameRecords(records: readonly z.output<typeof birdRecordSchema>[]): BirdRecord[] {
  const times = new Map<number, number>();
  return records.map((record) => {
    const time = (times.get(record.question_id) ?? 0) + 1;
    times.set(record.question_id, time);
    return { ...record, id: time === 1 ? String(record.question_id) : `${record.question_id}-${time}` };
  });
}

async function makeRecordTask(file: string, database: string | undefined, record: BirdRecord): Promise<Task> {
  const { db_id: name, SQL: sql } = record;
  if (database === undefined) throw missingDatabase(file, name);
  const large = await openLargeFile(`${name}.sqlite`, await resolveDataPath(database));
  return makeTask({
    id: makeTaskId(about, record.id),
    path: file,
    instruction: writeInstruction(record),
    // Its own query and the owners'.
    config: makeRecordConfig(about, { testSeconds: 300 }),
    workspace: () => readDescriptions(database),
    large: [large],
    tests: await packPythonTests(about, {
      'record.json': JSON.stringify({ sql, database: large.path, sha256: large.sha256 }),
    }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answerFile]: sql }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It gives a row of its own.',
        text: scriptThatWrites({ [answerFile]: "SELECT 'not what was asked for'" }),
      },
    ],
  });
}

function writeInstruction({ db_id: name, question, evidence }: BirdRecord): string {
  const hint = evidence.trim() === '' ? '' : `\n\nWhat helps: ${evidence}`;
  return `Write one SQL query for SQLite that answers a question about the database \`/workspace/${name}.sqlite\`, and save it as \`/workspace/${answerFile}\`: the query alone. Don't change the database. What the query returns is compared with what is right: the same columns, in the order in which the question asks for them; the order of rows doesn't matter. Descriptions of the tables, if there are any, are in \`/workspace/database_description\`.

Question: ${question}${hint}`;
}

const databaseFolders = ['dev_databases', 'databases', 'MINIDEV/dev_databases', '.'];
const descriptionsFolder = 'database_description';

/** The file of a database, in any of the places in which it is published; undefined if it is in none. */
async function findDatabase(folder: string, name: string): Promise<string | undefined> {
  for (const place of databaseFolders) {
    const file = join(folder, place, name, `${name}.sqlite`);
    if (await stat(file).catch(() => undefined)) return file;
  }
  return undefined;
}

/** A database that is not where it is looked for. */
function missingDatabase(questions: string, name: string): PwpError {
  return new PwpError('no-data', `BIRD: the database ${name}.sqlite is missing beside ${questions}`, {
    help: 'pwp datasets fetch-help bird',
  });
}

/** The files that describe the tables of a database, for its folder inside. */
async function readDescriptions(database: string): Promise<ArchiveEntry[]> {
  const about = join(dirname(database), descriptionsFolder);
  const names = (await readdir(about).catch(() => [])).filter((one) => one.endsWith('.csv')).sort();
  return Promise.all(
    names.map(async (name) => ({
      kind: 'file',
      path: `${descriptionsFolder}/${name}`,
      content: await readData(join(about, name)),
      executable: false,
    })),
  );
}
