import type * as z from 'zod';
import { PwpError, wellFormed } from '../../bridge/lib/index.ts';

/**
 * Checks an answer of a server before it is used. Errors: `model-answer`, with the field that does not fit.
 * @param what the expected kind of answer, for the error
 */
export function wholeAnswer<T>(schema: z.ZodType<T>, answer: unknown, what: string): T {
  const read = schema.safeParse(wellFormed(answer));
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const where =
    first && first.path.length > 0 ? ` (${first.path.map(String).join('.')}: ${first.message})` : '';
  throw new PwpError('model-answer', `the answer is not a valid ${what}${where}`);
}
