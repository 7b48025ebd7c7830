import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';

/** @param what names the value for the caller who gave it. Errors: `usage`. */
export function checked<T>(what: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new PwpError('usage', `bad ${what}: ${z.prettifyError(result.error)}`);
}
