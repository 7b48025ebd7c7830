import * as z from 'zod';

/** A record as its owners publish it. */
export const humanevalRecord = z.object({
  task_id: z.string().min(1).describe('e.g. HumanEval/0'),
  prompt: z.string().min(1).describe('imports, signature and docstring'),
  canonical_solution: z.string().min(1).describe('body of the function'),
  test: z.string().min(1).describe('defines check(candidate)'),
  entry_point: z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of a function'),
});
export type HumanevalRecord = z.output<typeof humanevalRecord>;
