import * as z from 'zod';

/** The arguments of tools that edit a file: edits by line, a replacement of a text, or a whole text. */
export const lineEdits = z.object({
  edits: z.array(
    z.object({
      type: z.enum(['insert', 'replace', 'delete']),
      line: z.int(),
      end_line: z.int().optional(),
      content: z.string().default(''),
    }),
  ),
});
export const replacement = z.object({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().default(false),
});
export const whole = z.object({ content: z.string() });
