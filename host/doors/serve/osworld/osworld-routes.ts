import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { describeError, parseRequestUrl, PwpError } from '../../../../bridge/lib/index.ts';
import { quoteShellWord } from '../../../../bridge/text/index.ts';
import { readInput, sendReply, type ServedTable } from '../episodes/index.ts';
import type { RequestHandler, Routes } from '../server.ts';
import { writeAccessibilityTree } from './accessibility-tree.ts';
import { readPyautogui } from './pyautogui.ts';

/** The longest that a command may take, in milliseconds. */
const commandMs = 120_000;

const text = z.string().max(200_000);
const executeInput = z.object({
  command: z.union([text, z.array(text).min(1).max(1000)]),
  shell: z.boolean().default(false),
});

/** As clients read it. */
interface ExecuteReply {
  readonly status: 'success';
  readonly output: string;
  readonly error: string;
  readonly returncode: number;
}

/**
 * The routes by which agents for OSWorld use a desktop, for one open episode: its id is the user in the address, or
 * `?episode=`. Clients drop a path, so they are at the root.
 */
export function osworldRoutes(table: ServedTable): Routes {
  const observe = (episode: string, picture: 'none' | 'screen') =>
    table.call(episode, 'observe', { picture });
  return {
    '/screenshot': answer(async (episode, _, response) => {
      const { observation } = await observe(episode, 'screen');
      response.writeHead(200, { 'Content-Type': 'image/png' });
      response.end(Buffer.from(observation.picture ?? '', 'base64'));
    }),
    '/accessibility': answer(async (episode, _, response) => {
      const { observation } = await observe(episode, 'none');
      sendReply(response, 200, { AT: writeAccessibilityTree(observation) });
    }),
    '/screen_size': {
      POST: answer(async (episode, _, response) => {
        const { width, height } = (await observe(episode, 'none')).observation;
        sendReply(response, 200, { width, height });
      }),
    },
    '/execute': {
      POST: answer(async (episode, request, response) =>
        sendReply(response, 200, await execute(table, episode, await readInput(request, executeInput))),
      ),
    },
  };
}

type Answer = (
  episode: string,
  request: IncomingMessage,
  response: Parameters<RequestHandler>[1],
) => Promise<void>;

/** Chooses the episode, and answers errors as OSWorld's server does. */
function answer(run: Answer): RequestHandler {
  return async (request, response, _, { user }) => {
    try {
      const named = parseRequestUrl(request)?.searchParams.get('episode');
      await run(named ?? user, request, response);
    } catch (error) {
      const code = error instanceof PwpError ? error.code : '';
      const status = code === 'no-such-episode' ? 404 : code === 'usage' ? 400 : 500;
      sendReply(response, status, { status: 'error', message: describeError(error) });
    }
  };
}

/** Plays a program of pyautogui on the screen, and runs anything else in the sandbox as the agent. */
async function execute(
  table: ServedTable,
  episode: string,
  { command, shell }: z.output<typeof executeInput>,
): Promise<ExecuteReply> {
  const program = shell || typeof command === 'string' ? undefined : readProgram(command);
  if (program === undefined || !program.includes('pyautogui'))
    return runCommand(table, episode, typeof command === 'string' ? command : joinCommand(command));
  const actions = readPyautogui(program);
  if (actions) return play(table, episode, actions);
  const rest = program.replace(preamble, '');
  if (!rest.includes('pyautogui')) return runCommand(table, episode, joinCommand(['python', '-c', rest]));
  return fail(
    'pyautogui is not in the sandbox: a program that calls it may only call its functions, time.sleep() and nothing else, with values that it writes itself, one call after the other',
  );
}

/** What clients put before each program. */
const preamble =
  /^\s*(?:(?:import (?:pyautogui|time)|pyautogui\.(?:FAILSAFE|PAUSE)\s*=\s*[\w.]+)\s*(?:;|\n|$)\s*)+/;

function readProgram([program = '', option, code, ...more]: readonly string[]): string | undefined {
  return /^(?:.*\/)?python3?$/.test(program) && option === '-c' && more.length === 0 ? code : undefined;
}

async function play(
  table: ServedTable,
  episode: string,
  actions: NonNullable<ReturnType<typeof readPyautogui>>,
): Promise<ExecuteReply> {
  if (actions.length === 0) return succeed('');
  const { outcomes, skipped } = await table.call(episode, 'step', { actions, picture: 'none' });
  const texts = outcomes.map(({ effect, evidence }) => `${effect}: ${evidence}`);
  const isRefused = skipped > 0 || outcomes.some(({ effect }) => effect === 'refused');
  return isRefused ? fail(texts.join('\n')) : succeed('');
}

function succeed(output: string): ExecuteReply {
  return { status: 'success', output, error: '', returncode: 0 };
}

function fail(error: string): ExecuteReply {
  return { status: 'success', output: '', error, returncode: 1 };
}

/** As words for bash. A home folder is the agent's; not each image has a program that is called python. */
function joinCommand([program = '', ...words]: readonly string[]): string {
  const first = program === 'python' ? '"$(command -v python || echo python3)"' : quoteWord(program);
  return [first, ...words.map(quoteWord)].join(' ');
}

function quoteWord(word: string): string {
  return word.startsWith('~/') ? `~/${quoteShellWord(word.slice(2))}` : quoteShellWord(word);
}

/** Runs a command by the tool `shell`, which gives both streams as one text: a line between them tells them apart. */
async function runCommand(table: ServedTable, episode: string, command: string): Promise<ExecuteReply> {
  const border = randomBytes(16).toString('hex');
  const errors = `/tmp/.${border}`;
  const script = `bash -c ${quoteShellWord(command)} 2> ${errors}; code=$?; printf '\\n%s\\n' ${border}; cat ${errors}; rm ${errors}; exit $code`;
  const found = await table.call(episode, 'tool', {
    name: 'shell',
    arguments: { command: script, timeoutMs: commandMs },
  });
  const [ending = '', ...lines] = found.output.split('\n');
  const code = /^exit code (\d+)/.exec(ending)?.[1];
  if (code === undefined)
    throw new PwpError('exec-failed', `the command ended otherwise: ${ending || found.evidence}`);
  const [output = '', error = ''] = lines.join('\n').split(`\n${border}\n`);
  return { status: 'success', output, error, returncode: Number(code) };
}
