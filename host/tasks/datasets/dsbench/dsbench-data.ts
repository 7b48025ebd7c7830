import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { listUntrusted } from '../../../lib/index.ts';
import type { ArchiveEntry } from '../../format/index.ts';
import {
  checkRawRecords,
  type DatasetAbout,
  findDataRoot,
  parseJsonLines,
  readData,
  readDataJson,
  readDataText,
  type ReadRecords,
} from '../records/index.ts';

export const dsbenchAbout: DatasetAbout = {
  name: 'dsbench',
  title: 'DSBench',
  family: 'Multimodal code synthesis',
  records: 112,
  source: 'liqiang888/DSBench on Hugging Face; records at LiqiangJing/DSBench on GitHub',
  licence:
    'MIT (code); files of the challenges for research and education only, those of Kaggle under its rules',
  metric:
    "Analysis (38): the share of a challenge's questions answered right, by normalised exact match, where the owners ask a language model. Modelling (74): max(0, (performance − baseline) / (best − baseline)), at most 1; no file of predictions scores 0.",
  agentCode: 'nowhere',
  files: [
    'data_analysis/data.json',
    'data_analysis/data/<id>/',
    'data_modeling/data.json',
    'data_modeling/data/{task,data_resplit,answers}/',
    'data_modeling/save_performance/{baseline,GT}/',
  ],
  needs: [
    "The files of the challenges: the owners' data.zip of each part, and save_performance.zip, unpacked. Either part alone will do.",
    'Competitions that are measured by several columns, or by a metric that is not computed here, get no score.',
  ],
};

const answerSchema = z.union([
  z.string(),
  z.number(),
  z.record(z.string(), z.union([z.string(), z.number()])),
]);

/** A challenge of the analysis part; some files have one answer in place of a list. */
export const analysisRecordSchema = z
  .looseObject({
    id: z.string().min(1),
    name: z.string().min(1),
    year: z.union([z.number(), z.string()]).optional(),
    questions: z.array(z.string().regex(/^[\w -]+$/, 'expected the name of a file without its ending')),
    answers: z.union([z.array(answerSchema), answerSchema.transform((one) => [one])]),
  })
  .refine(({ questions, answers }) => questions.length === answers.length, {
    path: ['answers'],
    message: 'expected one for each question',
  });
export type AnalysisRecord = z.output<typeof analysisRecordSchema>;

/** A competition of the modelling part. */
export const modellingRecordSchema = z.looseObject({
  name: z.string().regex(/^[\w-]+$/, "expected a competition's name"),
  url: z.string().optional(),
  year: z.union([z.number(), z.string()]).optional(),
});
export type ModellingRecord = z.output<typeof modellingRecordSchema>;

/** The owners' `data.json` is a list, or has one record a line, regardless of its name. Errors: `bad-data`. */
export async function readListOrLines<S extends z.ZodType>(
  file: string,
  schema: S,
): Promise<ReadRecords<z.output<S>>> {
  const text = await readDataText(file);
  if (!text.trimStart().startsWith('[')) return checkRawRecords(file, schema, parseJsonLines(file, text));
  const list = z.array(z.unknown()).parse(await readDataJson(file));
  return checkRawRecords(
    file,
    schema,
    list.map((raw, index) => ({ raw, where: `${file}, record ${index + 1}` })),
  );
}

/** Files that the agent must not get: answers that some copies of the data hold, and litter. */
const leftOutFiles = /(?:^|\/)(?:answers?|solutions?|sol)\b[^/]*$|(?:^|\/)(?:\.DS_Store|~\$[^/]*)$/i;

/** All files below a folder, by path; undefined if there is no such folder. */
export async function readFilesBelow(folder: string): Promise<ArchiveEntry[] | undefined> {
  const listed = await listUntrusted(findDataRoot(folder), folder).catch(() => undefined);
  if (!listed) return undefined;
  const files = listed.filter(({ kind, path }) => kind === 'file' && !leftOutFiles.test(path));
  return Promise.all(
    files.map(async ({ path, at }): Promise<ArchiveEntry> => ({
      kind: 'file',
      path,
      content: await readData(at),
      executable: false,
    })),
  );
}

/** The first of several places below a folder that exists. */
export async function findFirst(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found) return path;
  }
  return undefined;
}

/** The text of a file that is small; undefined if it is not there. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
  return readData(file).then(
    (bytes) => bytes.toString('utf8'),
    () => undefined,
  );
}

/**
 * Records whose files are not there, by their id.
 * @param find where a record's files are, if they are there
 * @param name its id, and what is missing then
 */
export async function findLackingRecords<T>(
  records: readonly T[],
  find: (record: T) => Promise<string | undefined>,
  name: (record: T) => readonly [id: string, what: string],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(records.map(find));
  return new Map(records.filter((_, index) => found[index] === undefined).map(name));
}
