import * as z from 'zod';
import { limits } from '../limits.ts';
import { tool } from './descriptor.ts';
import { maxOutput, terminalId } from './run-terminal.ts';

const base = { family: 'run', where: 'extension' } as const;
const text = z.string().max(10_000);

const name = z.string().min(1).max(1000).describe('as list_tasks reports it');
const source = z.string().max(1000).optional().describe('its source, if several tasks have this name');

/** Tasks of the workspace: from tasks.json, and those that VS Code finds in package.json and the like. */
export const taskTools = {
  listTasks: tool({
    ...base,
    name: 'list_tasks',
    title: 'List tasks',
    description:
      "Lists VS Code's tasks: those of .vscode/tasks.json and those that extensions find, such as npm scripts. Shows which are running.",
    readOnly: true,
    sources: [],
    input: z.strictObject({}),
    output: z.object({
      tasks: z
        .array(
          z.object({
            name: text,
            source: text,
            type: text,
            group: text.nullable().describe('build, test, clean, rebuild'),
            detail: text.nullable(),
            background: z.boolean().describe('it is not expected to end by itself'),
            running: z.boolean(),
          }),
        )
        .max(500),
      truncated: z.boolean().describe('there are more'),
    }),
    text: ({ tasks, truncated }) =>
      tasks.length === 0
        ? 'there are no tasks'
        : [
            ...tasks.map((one) => `${one.name} (${one.source}, ${one.type})${one.running ? ', runs' : ''}`),
            ...(truncated ? ['and more'] : []),
          ].join('\n'),
  }),
  runTask: tool({
    ...base,
    name: 'run_task',
    title: 'Run a task',
    description:
      'Runs one of VS Code’s tasks in its terminal and, unless it is a background task, waits for its end. Returns its exit code and output; problems that its matchers find become diagnostics.',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'run_task' }],
    input: z.strictObject({
      name,
      source,
      wait: z.boolean().optional().describe('wait for its end; default: unless it is a background task'),
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(120_000)
        .describe('milliseconds until a task that is waited for is ended'),
      max_output: maxOutput,
    }),
    output: z.object({
      task: text,
      status: z.enum(['exited', 'running', 'timed-out']),
      exit_code: z.int().nullable().describe('null while it runs, and for a task that is not a process'),
      terminal: terminalId
        .nullable()
        .describe('its terminal, for read_terminal; null if VS Code does not report it'),
      output: z
        .string()
        .max(limits.terminalText)
        .nullable()
        .describe('null if VS Code does not report it: then it is only in the terminal on the screen'),
      truncated: z.boolean(),
      duration_ms: z.number().nonnegative(),
    }),
    text: (result) => [taskLine(result), result.output ?? ''].filter((part) => part !== '').join('\n'),
    effect: (result) => ({
      effect: result.status === 'timed-out' ? 'partial' : 'confirmed',
      evidence: taskLine(result),
    }),
  }),
  stopTask: tool({
    ...base,
    name: 'stop_task',
    title: 'Stop a task',
    description: 'Ends a running task, such as a background task or one that someone else started.',
    readOnly: false,
    sources: [],
    input: z.strictObject({ name, source }),
    output: z.object({ task: text, ended: z.boolean().describe('false: it did not end within 5 seconds') }),
    text: ({ task, ended }) => (ended ? `${task} has ended` : `${task} was asked to end and still runs`),
    effect: ({ task, ended }) => ({
      effect: ended ? 'confirmed' : 'partial',
      evidence: ended ? `${task} has ended` : `${task} still runs`,
    }),
  }),
};

function taskLine({
  task,
  status,
  exit_code: code,
}: {
  task: string;
  status: string;
  exit_code: number | null;
}): string {
  if (status === 'exited') return `${task}: exit code ${code ?? 'unknown'}`;
  return status === 'running' ? `${task} runs` : `${task} timed out and was ended`;
}
