import * as z from 'zod';
import { checkedRecords, linesOf, readJson, readText, type Records } from '../records/index.ts';

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

/** The owners' `data.json` is a list, or has one record a line, regardless of its name. Errors: `bad-data`. */
export async function readEither<S extends z.ZodType>(
  file: string,
  schema: S,
): Promise<Records<z.output<S>>> {
  const text = await readText(file);
  if (!text.trimStart().startsWith('[')) return checkedRecords(file, schema, linesOf(file, text));
  const list = z.array(z.unknown()).parse(await readJson(file));
  return checkedRecords(
    file,
    schema,
    list.map((raw, index) => ({ raw, where: `${file}, record ${index + 1}` })),
  );
}
