import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { collectCauses, describeError, PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
import { toJson, withoutUnsafe } from '../../../bridge/text/index.ts';

/**
 * Prints one value: as JSON for programs, else as text for people. Much of it comes from inside a sandbox, so characters
 * that could control a terminal are escaped.
 */
export function print(value: unknown, json: boolean, text: () => string): void {
  const whole = json ? toJson(value, 2) : text();
  process.stdout.write(`${process.stdout.isTTY ? escapeForTerminal(whole, json) : whole}\n`);
}

/** Prints one value as JSON. */
export function printJson(value: unknown): void {
  print(value, true, String);
}

/** Escaped JSON has the same value: in a string, an escape means the character. */
function escapeForTerminal(text: string, json: boolean): string {
  return json ? escapeJsonControls(text) : escapeControls(text);
}

/** An error for people: what failed, its causes, what to do. A cause that the message already includes is left out. */
export function explainError(error: unknown): string {
  const message = describeError(error);
  const causes = collectCauses(error).filter((at) => !message.includes(describeError(at)));
  const lines = [error, ...causes].flatMap((at, depth) => [
    `${depth === 0 ? 'pwp: ' : '  because: '}${describeError(at)}`,
    ...(at instanceof PwpError && at.help !== undefined ? [`  ${withProgramName(at.help)}`] : []),
  ]);
  return escapeControls(lines.join('\n'));
}

/** An error for programs. */
export function errorJson(error: unknown): object {
  const code =
    error instanceof CommanderError ? 'usage' : error instanceof PwpError ? error.code : 'internal';
  const help =
    error instanceof PwpError && error.help !== undefined ? withProgramName(error.help) : undefined;
  const message = describeError(error).replace(/^error: /, '');
  return {
    error: {
      code,
      message,
      ...(help !== undefined && { help }),
      causes: collectCauses(error).map(describeError),
    },
  };
}

/** 2 if the machine or the command line does not meet the requirements, 130 when interrupted, else 1. */
export function chooseExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const all = [error, ...collectCauses(error)];
  if (all.some((at) => at instanceof PwpError && at.code === 'cancelled')) return 130;
  const unfit: readonly PwpErrorCode[] = ['packages-missing', 'needs-root', 'usage', 'no-such-folder'];
  return error instanceof PwpError && unfit.includes(error.code) ? 2 : 1;
}

/** Escapes text from inside a sandbox for a terminal: a control character is shown as, for example, `\x1b`. */
export function escapeControls(text: string): string {
  return withoutUnsafe(text, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** The same JSON, with characters that could control a terminal as `\u` escapes. */
export function escapeJsonControls(json: string): string {
  return withoutUnsafe(json, (sign) => {
    const units = Array.from({ length: sign.length }, (_, i) => sign.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** What a user types to run this program: `pwp` if it is on the PATH, else `npx pwp`. */
export const programName = isInstalled(process.env) ? 'pwp' : 'npx pwp';

/** npx and npm scripts put their own folders on the PATH, which the user's shell does not have. */
function isInstalled({ PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some(
    (folder) => folder !== '' && !/[/\\]node_modules[/\\]/.test(folder) && existsSync(join(folder, 'pwp')),
  );
}

/** Writes commands in one of our texts, such as `pwp up <folder>`, as the user has to type them. */
export function withProgramName(text: string, name = programName): string {
  return text.replaceAll(/(?<!npx |[\w/.-])pwp(?= (?:--help|<command>|[a-z][\w-]*))/g, name);
}

/**
 * Lets the program end as usual when the reader of its output has ended, as in `pwp tools | head`: it finishes its work,
 * and the rest of the output is lost.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/**
 * Reserves standard output for a protocol: from now on, everything else that this program or a library prints goes to
 * standard error. A failed write ends the stream with an error, as usual.
 */
export function reserveStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const taken = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _, done) => void write(chunk, done),
  });
  stdout.on('error', (error: Error) => taken.destroy(error));
  return taken;
}
