import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { GetPromptResult, Prompt as McpPrompt } from '@modelcontextprotocol/sdk/types.js';
import { addToolsName } from './client-tools.ts';
import { suggestName } from './served-tools.ts';
import type { Sdk } from './transport.ts';

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

const allPrompts: readonly Prompt[] = [
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
const longestArgument = 10_000;

/** Answers a client's requests for prompts; it gets those for the tools that it is shown. */
export function servePrompts({ server }: McpServer, sdk: Sdk, lists: (tool: string) => boolean): void {
  server.setRequestHandler(sdk.ListPromptsRequestSchema, () => ({ prompts: listPrompts(lists) }));
  server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const prompt = offerPrompts(lists).find((one) => one.name === name);
    const wrong = prompt ? findWrongArgument(prompt, given) : explainNoPrompt(name, lists);
    if (!prompt || wrong !== undefined)
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `prompt ${name}: ${wrong}`);
    return fillInPrompt(prompt, given);
  });
}

function listPrompts(lists: (tool: string) => boolean): McpPrompt[] {
  return offerPrompts(lists).map(({ name, title, description, arguments: given }) => ({
    name,
    title,
    description,
    arguments: given.map((one) => ({ ...one })),
  }));
}

function fillInPrompt(
  { description, text }: Prompt,
  given: Readonly<Record<string, string>>,
): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text: text(given) } }] };
}

function offerPrompts(lists: (tool: string) => boolean): readonly Prompt[] {
  return allPrompts.filter(({ needs }) => needs.every(lists));
}

function explainNoPrompt(name: string, lists: (tool: string) => boolean): string {
  const known = offerPrompts(lists).map((one) => one.name);
  return `there is no prompt of this name: ${suggestName(name, known)}`;
}

function findWrongArgument(prompt: Prompt, given: Readonly<Record<string, string>>): string | undefined {
  const known = prompt.arguments.map(({ name }) => name);
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) return `there is no argument ${name}: ${suggestName(name, known)}`;
    if (value.length > longestArgument)
      return `${name} has ${value.length} characters, at most ${longestArgument} are taken`;
  }
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim());
  return missing && `the argument ${missing.name} is missing: ${missing.description}`;
}

const sandboxInstructions = `One live VS Code in a sandbox, on a copy of a workspace. People may watch and use the same window.
- Prefer the tools for files, search, refactoring, tests and so on: they are faster and safer than mouse and keyboard. Paths are relative to the workspace's first folder. Lines and columns count from 1.
- The computer_* tools use screen, mouse and keyboard. Read the marks (computer_marks) and click them by number. A mark that is gone is refused. Each tool waits until the IDE is at rest, returns its effect (confirmed, partial, no-effect, unverifiable, refused) and the marks that are new, changed or gone, and adds a picture if you ask for one.
- While a person has control, all calls are refused (control-held); wait, or ask_person. Afterwards look first (look-first): the observation says what they changed.
- A failed call says why and what to do. It has changed nothing unless it says so.`;

const addToolsInstructions = `
- These are the tools that most work needs. There are more: ${addToolsName} adds a family to your list, e.g. debug or refactor. A client that does not read its list again can start the server with --all, --families or --tools.`;

/**
 * The server's instructions for a client's model.
 * @param more whether there are tools that the client may add
 */
export function renderInstructions(more: boolean): string {
  return more ? sandboxInstructions + addToolsInstructions : sandboxInstructions;
}

const ownWindowInstructions = `A person's own VS Code window, with their files: what you change is changed. You don't see the screen, and have neither mouse nor keyboard.
- Paths are relative to the workspace's first folder. Lines and columns count from 1. The edits of files go through the editors: nothing that is not saved is lost.
- Tools that change something or run code may ask the person first. The call waits for the answer; not-allowed means that they refused: ask them in the chat before you try again.
- agents-paused and agents-stopped: the person has interrupted you in their window.
- A failed call says why and what to do. It has changed nothing unless it says so.`;

/** As {@link renderInstructions}, for a person's own window. */
export function renderWindowInstructions(more: boolean): string {
  return more ? ownWindowInstructions + addToolsInstructions : ownWindowInstructions;
}
