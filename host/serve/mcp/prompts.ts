import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { GetPromptResult, Prompt as McpPrompt } from '@modelcontextprotocol/sdk/types.js';
import type { Sdk } from './sdk.ts';
import { hint } from './served-tools.ts';

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A way of working that a person starts, e.g. as a slash command. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** It is listed to clients that are shown these tools. */
  readonly needs: readonly string[];
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

const prompts: readonly Prompt[] = [
  {
    name: 'fix_problems',
    title: 'Fix the problems',
    description: 'Solves the errors that the IDE reports, and proves it.',
    arguments: [{ name: 'path', description: 'only of this file or folder', required: false }],
    needs: ['get_errors', 'read_file', 'search_replace'],
    text: ({ path }) =>
      `Fix the errors that the IDE reports${path === undefined ? '' : ` in ${path}`}. Read them with get_errors, and the code around each with read_file. Change it with search_replace, whose answer says which problems are solved and which are new. End when get_errors reports no error and the tests that passed before still pass.`,
  },
  {
    name: 'fix_test',
    title: 'Fix a failing test',
    description: 'Finds the cause of a failing test in the code and fixes it there.',
    arguments: [{ name: 'test', description: 'its name or file; default: all that fail', required: false }],
    needs: ['run_tests', 'read_file', 'search_replace'],
    text: ({ test }) =>
      `Run ${test ?? 'the tests'} with run_tests. For each failure find the cause in the code, not in the test, and fix it. Change a test only if it contradicts what is documented, and say so. Run all tests at the end and report which passed.`,
  },
  {
    name: 'debug',
    title: 'Debug',
    description: 'Answers a question about a running program with the debugger.',
    arguments: [{ name: 'question', description: 'what to find out', required: true }],
    needs: ['set_breakpoint', 'debug_start', 'debug_variables', 'debug_step', 'debug_stop'],
    text: ({ question = '' }) =>
      `Find this out with the debugger, not by adding print statements: ${question}\nSet a breakpoint where the answer can be seen (set_breakpoint), start the program (debug_start), and read the variables there (debug_variables); step where that is not enough. End with debug_stop and remove your breakpoints. Answer with the values that you saw.`,
  },
  {
    name: 'use_screen',
    title: 'Do it on the screen',
    description: 'Does something in the IDE by mouse and keyboard, as a person would.',
    arguments: [{ name: 'task', description: 'what to do', required: true }],
    needs: ['computer_marks', 'computer_click', 'computer_key', 'computer_type'],
    text: ({ task = '' }) =>
      `Do this in the IDE by mouse and keyboard alone: ${task}\nRead the marks (computer_marks) and click them by number. Read each answer's effect before the next action: after no-effect, partial or refused look again instead of going on. Prove the result at the end by what the screen shows.`,
  },
];

/** The maximum length of an argument, in UTF-16 code units. */
const longest = 10_000;

/** Answers a client's requests for prompts; it gets those for the tools that it is shown. */
export function servePrompts({ server }: McpServer, sdk: Sdk, lists: (tool: string) => boolean): void {
  server.setRequestHandler(sdk.ListPromptsRequestSchema, () => ({ prompts: listed(lists) }));
  server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const prompt = offered(lists).find((one) => one.name === name);
    const wrong = prompt ? wrongArgument(prompt, given) : noPrompt(name, lists);
    if (!prompt || wrong !== undefined)
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `prompt ${name}: ${wrong}`);
    return filledIn(prompt, given);
  });
}

function listed(lists: (tool: string) => boolean): McpPrompt[] {
  return offered(lists).map(({ name, title, description, arguments: given }) => ({
    name,
    title,
    description,
    arguments: given.map((one) => ({ ...one })),
  }));
}

function filledIn({ description, text }: Prompt, given: Readonly<Record<string, string>>): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text: text(given) } }] };
}

function offered(lists: (tool: string) => boolean): readonly Prompt[] {
  return prompts.filter(({ needs }) => needs.every(lists));
}

function noPrompt(name: string, lists: (tool: string) => boolean): string {
  const known = offered(lists).map((one) => one.name);
  return `there is no prompt of this name: ${hint(name, known)}`;
}

function wrongArgument(prompt: Prompt, given: Readonly<Record<string, string>>): string | undefined {
  const known = prompt.arguments.map(({ name }) => name);
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) return `there is no argument ${name}: ${hint(name, known)}`;
    if (value.length > longest) return `${name} has ${value.length} characters, at most ${longest} are taken`;
  }
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim());
  return missing && `the argument ${missing.name} is missing: ${missing.description}`;
}
