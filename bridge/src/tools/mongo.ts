import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { dataTools, toolError, type ToolInput, type ToolOutput } from '../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../rpc/index.ts';
import { clip, clipEnd } from '../../text/index.ts';
import type { ProgramSurroundings } from '../config.ts';
import { runProgramOnce } from '../shell.ts';

type Query = typeof dataTools.mongoQuery;

const mongoshAnswer = z.array(z.unknown());

/** Stages that write their results. */
const writingStages = ['$out', '$merge'];

/** For mongosh; the query is passed by the environment, so that no part of it is run as code. */
const mongoshScript = `
const q = EJSON.parse(process.env.PWP_QUERY);
const c = q.collection === '' ? undefined : db.getCollection(q.collection);
const ask = {
  find: () => c.find(q.query ?? {}).limit(q.limit + 1).toArray(),
  find_one: () => [c.findOne(q.query ?? {})].filter((one) => one !== null),
  count: () => [c.countDocuments(q.query ?? {})],
  distinct: () => c.distinct(q.field, q.query ?? {}),
  aggregate: () => c.aggregate([...(q.query ?? []), { $limit: q.limit + 1 }]).toArray(),
  collections: () => db.getCollectionInfos().map(({ name, type }) => ({ name, type })),
  indexes: () => c.getIndexes(),
};
print(EJSON.stringify(ask[q.query_type]().slice(0, q.limit + 1)));
`;

/** Adds MongoDB. @param surroundings mongosh is found with their environment */
export function addMongoTools(handlers: ToolHandlers, surroundings: ProgramSurroundings): ToolHandlers {
  return handlers.add(dataTools.mongoQuery, (input, { signal }) =>
    runMongoQuery(input, surroundings, signal),
  );
}

async function runMongoQuery(
  input: ToolInput<Query>,
  { workspace, env: readEnvironment }: ProgramSurroundings,
  signal: ToolContext['signal'],
): Promise<ToolOutput<Query>> {
  checkQuery(input);
  const env = await readEnvironment();
  const mongosh = await findMongosh('mongosh', env);
  const { url, timeout_ms: timeoutMs, limit } = input;
  const { code, stdout, stderr } = await runProgramOnce(
    `${input.query_type} of ${input.collection}`,
    [mongosh, '--quiet', '--norc', url, '--eval', mongoshScript],
    {
      input: '',
      env: { ...env, PWP_QUERY: JSON.stringify(input) },
      cwd: workspace,
      timeoutMs,
      maxBytes: 4 * 1024 * 1024,
    },
    signal,
  );
  if (code !== 0) throw explainFailure(url, clipEnd(`${stdout}\n${stderr}`.trim(), 2000));
  const documents = parseAnswer(stdout);
  return { documents: documents.slice(0, limit), truncated: documents.length > limit };
}

function checkQuery({ query_type: type, collection, query: given, field }: ToolInput<Query>): void {
  const bad = (why: string) => toolError('bad-arguments', `${type}: ${why}`);
  if (type !== 'collections' && collection === '') throw bad('give a collection');
  if (type === 'distinct' && field === undefined) throw bad('give a field');
  if (type !== 'aggregate') return;
  if (given !== undefined && !Array.isArray(given)) throw bad('query has to be a list of stages');
  const stages = (given ?? []) as readonly (object | null)[];
  const stage = stages.flatMap((one) => Object.keys(one ?? {})).find((name) => writingStages.includes(name));
  if (stage !== undefined) throw toolError('read-only', `${stage} would write what the query finds`);
}

async function findMongosh(name: string, { PATH = '' }: NodeJS.ProcessEnv): Promise<string> {
  for (const folder of PATH.split(':')) {
    const path = join(folder, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw toolError('no-program', `there is no ${name} on the PATH of this sandbox`, {
    help: "MongoDB comes with a task or not at all; use the shell with the task's own client",
  });
}

function explainFailure(url: string, words: string): Error {
  const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|MongoServerSelectionError/.test(words);
  return toolError(unreachable ? 'no-server' : 'bad-query', `${url}: ${words}`);
}

function parseAnswer(stdout: string): unknown[] {
  try {
    // Warnings of the server may come first.
    return mongoshAnswer.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  } catch (cause) {
    throw toolError('failed', `mongosh answered ${clip(stdout, 500)}`, { cause });
  }
}
