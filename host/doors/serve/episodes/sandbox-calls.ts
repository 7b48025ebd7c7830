import * as z from 'zod';
import { imagePrograms, PwpError } from '../../../../bridge/lib/index.ts';
import { clip, parseJson } from '../../../../bridge/text/index.ts';
import type { Environment } from '../../../run/index.ts';
import { type EpisodeFinding, type EpisodeInput, filePieceBytes } from './episode-calls.ts';

/** Bytes of each stream of a program. */
const mostOutputBytes = 4 * 1024 * 1024;
/** The longest that a file may take, in milliseconds: some paths never answer. */
const fileMs = 60_000;

/** Runs in the sandbox as the agent: what it prints is the agent's word. */
const fileProgram = `
const fs = require('node:fs');
const [, call, path, place] = process.argv;
const calls = {
  read() {
    const file = fs.openSync(path, 'r');
    const content = Buffer.alloc(${filePieceBytes});
    let length = 0;
    for (let last = 1; last > 0 && length < content.length; length += last)
      last = fs.readSync(file, content, length, content.length - length, fs.fstatSync(file).isFile() ? Number(place) + length : null);
    return { content: content.toString('base64', 0, length), end: length < content.length };
  },
  write() {
    fs.mkdirSync(require('node:path').dirname(path), { recursive: true });
    fs.writeFileSync(path, Buffer.from(fs.readFileSync(0, 'utf8'), 'base64'), { flag: place });
    return { content: '', end: true };
  },
};
let found;
try { found = calls[call](); } catch (error) { found = { error: error.message, missing: error.code === 'ENOENT' }; }
console.log(JSON.stringify(found));
`;

const found = z.union([
  z.object({ content: z.base64(), end: z.boolean() }),
  z.object({ error: z.string(), missing: z.boolean() }),
]);

/** Runs a program in the sandbox of an episode. Errors: `exec-failed` if it can't be started. */
export function runInSandbox(
  env: Environment,
  { argv, cwd, env: variables, stdin, timeout }: EpisodeInput<'exec'>,
  signal: AbortSignal,
): Promise<EpisodeFinding<'exec'>> {
  const program = { argv, cwd, env: variables, input: stdin, timeoutMs: timeout * 1000 };
  return env.exec({ ...program, maxOutputBytes: mostOutputBytes }, { signal });
}

/** Reads a piece of a file in the sandbox of an episode. Errors: `no-such-file`, `exec-failed`. */
export function readPiece(
  env: Environment,
  { path, offset }: EpisodeInput<'read_file'>,
  signal: AbortSignal,
): Promise<EpisodeFinding<'read_file'>> {
  return callFileProgram(env, ['read', path, String(offset)], '', signal);
}

/** Writes a piece of a file in the sandbox of an episode. Errors: `no-such-file`, `exec-failed`. */
export async function writePiece(
  env: Environment,
  { path, content, append }: EpisodeInput<'write_file'>,
  signal: AbortSignal,
): Promise<EpisodeFinding<'write_file'>> {
  await callFileProgram(env, ['write', path, append ? 'a' : 'w'], content, signal);
  return {};
}

async function callFileProgram(
  env: Environment,
  args: readonly string[],
  input: string,
  signal: AbortSignal,
): Promise<EpisodeFinding<'read_file'>> {
  const { stdout, stderr, timedOut } = await env.exec(
    {
      argv: [imagePrograms.node, '-e', fileProgram, ...args],
      ...{ cwd: '.', env: {}, input, timeoutMs: fileMs, maxOutputBytes: mostOutputBytes },
    },
    { signal },
  );
  const answer = found.safeParse(timedOut ? null : readAnswer(stdout)).data;
  if (answer && 'content' in answer) return answer;
  const why = answer?.error ?? (timedOut ? `it took more than ${fileMs / 1000} s` : clip(stderr, 1000));
  throw new PwpError(answer?.missing ? 'no-such-file' : 'exec-failed', why);
}

function readAnswer(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
