import * as z from 'zod';
import { frame, frameLine, session, sessionIn, text } from './debug-shared.ts';
import { tool } from './descriptor.ts';

const base = { family: 'debug', where: 'extension', sources: [] } as const;

const frameIn = z.int().optional().describe('id of a frame of debug_stack; default: the innermost');

const variable = z.object({
  name: text,
  value: text,
  type: text.nullable(),
  reference: z.int().nonnegative().describe('for debug_variables, to read its content; 0: none'),
});

/** The stack and the values of a stopped program. */
export const debugLookTools = {
  debugStack: tool({
    ...base,
    name: 'debug_stack',
    title: 'Show the call stack',
    description: 'Lists the threads of the stopped program with their calls, the innermost first.',
    readOnly: true,
    input: z.strictObject({
      session: sessionIn,
      limit: z.int().min(1).max(1000).default(50).describe('maximum number of frames of each thread'),
    }),
    output: z.object({
      session,
      threads: z
        .array(z.object({ id: z.int(), name: text, stopped: z.boolean(), frames: z.array(frame).max(1000) }))
        .max(200),
      truncated: z.boolean().describe('a thread has more frames than the limit'),
    }),
    text: ({ threads, truncated }) =>
      [
        ...threads.flatMap(({ id, name, frames }) => [
          `thread ${id} ${name}${frames.length === 0 ? ' runs' : ''}`,
          ...frames.map((one) => `  #${one.id} ${frameLine(one)}`),
        ]),
        ...(truncated ? ['and more frames'] : []),
      ].join('\n'),
  }),
  debugVariables: tool({
    ...base,
    name: 'debug_variables',
    title: 'Show variables',
    description:
      'Shows the variables of a frame of the stopped program, scope by scope, or the content of one of them, by its reference. Global scopes are only named: read them by their reference.',
    readOnly: true,
    input: z.strictObject({
      session: sessionIn,
      frame: frameIn,
      reference: z
        .int()
        .positive()
        .optional()
        .describe('reference of a variable or scope, instead of a frame'),
      limit: z.int().min(1).max(2000).default(100).describe('variables of each scope'),
    }),
    output: z.object({
      session,
      scopes: z
        .array(
          z.object({
            name: text,
            reference: z.int().nonnegative(),
            read: z.boolean().describe('false: it may be long; read it by its reference'),
            variables: z.array(variable).max(2000),
            omitted: z.int().nonnegative(),
          }),
        )
        .max(50),
    }),
    text: ({ scopes }) =>
      scopes
        .flatMap(({ name, reference, read, variables, omitted }) => [
          `${name}${read ? '' : ` (reference ${reference})`}:`,
          ...variables.map(
            (one) =>
              `  ${one.name} = ${one.value}${one.reference > 0 ? ` (reference ${one.reference})` : ''}`,
          ),
          ...(omitted > 0 ? [`  and ${omitted} more`] : []),
        ])
        .join('\n'),
  }),
  debugEvaluate: tool({
    ...base,
    name: 'debug_evaluate',
    title: 'Evaluate an expression',
    description:
      "Evaluates an expression in a frame of the stopped program, in the program's language. The expression may call functions and change variables.",
    readOnly: false,
    input: z.strictObject({
      expression: z.string().min(1).max(100_000).describe("in the program's language"),
      session: sessionIn,
      frame: frameIn,
    }),
    output: z.object({
      session,
      result: z.string().max(100_000),
      truncated: z.boolean(),
      type: text.nullable(),
      reference: z.int().nonnegative().describe('for debug_variables, to read its content; 0: none'),
    }),
    text: ({ result, reference }) => (reference > 0 ? `${result} (reference ${reference})` : result),
  }),
};
