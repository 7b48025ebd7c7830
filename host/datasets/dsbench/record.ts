import * as z from 'zod';
import { badData } from '../errors.ts';
import { checkedRecord, readText } from '../records/index.ts';

const answer = z.union([z.string(), z.number(), z.record(z.string(), z.union([z.string(), z.number()]))]);

/** A challenge of the analysis part; some files have one answer in place of a list. */
export const analysisRecord = z
  .looseObject({
    id: z.string().min(1),
    name: z.string().min(1),
    year: z.union([z.number(), z.string()]).optional(),
    questions: z.array(z.string().regex(/^[\w -]+$/, 'expected the name of a file without its ending')),
    answers: z.union([z.array(answer), answer.transform((one) => [one])]),
  })
  .refine(({ questions, answers }) => questions.length === answers.length, {
    path: ['answers'],
    message: 'expected one for each question',
  });
export type AnalysisRecord = z.output<typeof analysisRecord>;

/** A competition of the modelling part. */
export const modellingRecord = z.looseObject({
  name: z.string().regex(/^[\w-]+$/, "expected a competition's name"),
  url: z.string().optional(),
  year: z.union([z.number(), z.string()]).optional(),
});
export type ModellingRecord = z.output<typeof modellingRecord>;

/** The owners' `data.json` is a list, or one record a line whatever its name says. Errors: `bad-data`. */
export async function readEither<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S>[]> {
  const text = await readText(file);
  const isList = text.trimStart().startsWith('[');
  const raws = isList ? listOf(file, text) : linesOf(file, text);
  if (raws.length === 0) throw badData(file, 'expected records, found none');
  return raws.map(({ raw, where }) => checkedRecord(schema, raw, where));
}

interface Raw {
  readonly raw: unknown;
  readonly where: string;
}

function listOf(file: string, text: string): Raw[] {
  const list = z.array(z.unknown()).safeParse(parsed(text, file));
  if (!list.success) throw badData(file, 'expected a list of records');
  return list.data.map((raw, index) => ({ raw, where: `${file}, record ${index + 1}` }));
}

function linesOf(file: string, text: string): Raw[] {
  return text.split('\n').flatMap((line, index) => {
    const where = `${file}, line ${index + 1}`;
    return line.trim() === '' ? [] : [{ raw: parsed(line, where), where }];
  });
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badData(where, 'expected JSON, found something else or a part of it', cause);
  }
}
