import { dirname } from 'node:path';
import * as z from 'zod';
import { largeFile, madeTask, scriptThatWrites, type Task } from '../../tasks/index.ts';
import type { Dataset, DatasetAbout } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { dataPath } from '../place.ts';
import { readRecords } from '../records/index.ts';
import { descriptionEntries, findDatabase, noDatabase } from './database.ts';

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
const birdRecord = z.object({
  question_id: z.int().nonnegative(),
  db_id: z.string().regex(/^\w+$/, 'expected the name of a database'),
  question: z.string().min(1),
  evidence: z.string(),
  SQL: z.string().min(1),
  difficulty: z.string().optional(),
});
export type BirdRecord = z.output<typeof birdRecord> & { readonly id: string };

const names = ['mini_dev_sqlite.json', 'dev.json', 'data.json'];
const answer = 'solution.sql';

export const bird: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, names);
    const read = await readRecords(file, birdRecord);
    const records = named(read.records);
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
      taskOf: (record) => taskOf(file, place(record), record),
    });
  },
};

/** Its owners' file has two questions twice; the second is `<question_id>-2`. */
function named(records: readonly z.output<typeof birdRecord>[]): BirdRecord[] {
  const times = new Map<number, number>();
  return records.map((record) => {
    const time = (times.get(record.question_id) ?? 0) + 1;
    times.set(record.question_id, time);
    return { ...record, id: time === 1 ? String(record.question_id) : `${record.question_id}-${time}` };
  });
}

async function taskOf(file: string, database: string | undefined, record: BirdRecord): Promise<Task> {
  const { db_id: name, SQL: sql } = record;
  if (database === undefined) throw noDatabase(file, name);
  const large = await largeFile(`${name}.sqlite`, await dataPath(database));
  return madeTask({
    id: taskId(about, record.id),
    path: file,
    instruction: instructionOf(record),
    // Its own query and the owners'.
    config: configOf(about, { testSeconds: 300 }),
    workspace: () => descriptionEntries(database),
    large: [large],
    tests: await pythonTests(about, {
      'record.json': JSON.stringify({ sql, database: large.path, sha256: large.sha256 }),
    }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answer]: sql }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It gives a row of its own.',
        text: scriptThatWrites({ [answer]: "SELECT 'not what was asked for'" }),
      },
    ],
  });
}

function instructionOf({ db_id: name, question, evidence }: BirdRecord): string {
  const hint = evidence.trim() === '' ? '' : `\n\nWhat helps: ${evidence}`;
  return `Write one SQL query for SQLite that answers a question about the database \`/workspace/${name}.sqlite\`, and save it as \`/workspace/${answer}\`: the query alone. Don't change the database. What the query returns is compared with what is right: the same columns, in the order in which the question asks for them; the order of rows doesn't matter. Descriptions of the tables, if there are any, are in \`/workspace/database_description\`.

Question: ${question}${hint}`;
}
