import { CommanderError } from 'commander';
import { PwpError, causesOf, messageOf, type PwpErrorCode, toJson } from '../../bridge/lib/index.ts';
import { escapedJson, printable } from './printable.ts';
import { asTyped } from './program-name.ts';

/**
 * Prints one value: as JSON for programs, else as text for people. Much of it comes from inside a sandbox, so characters
 * that could control a terminal are escaped.
 */
export function print(value: unknown, json: boolean, text: () => string): void {
  const whole = json ? toJson(value, 2) : text();
  process.stdout.write(`${process.stdout.isTTY ? forTerminal(whole, json) : whole}\n`);
}

/** Escaped JSON has the same value: in a string, an escape means the character. */
function forTerminal(text: string, json: boolean): string {
  return json ? escapedJson(text) : printable(text);
}

/** An error for people: what failed, its causes, what to do. A cause that the message already includes is left out. */
export function explain(error: unknown): string {
  const message = messageOf(error);
  const causes = causesOf(error).filter((at) => !message.includes(messageOf(at)));
  const lines = [error, ...causes].flatMap((at, depth) => [
    `${depth === 0 ? 'pwp: ' : '  because: '}${messageOf(at)}`,
    ...(at instanceof PwpError && at.help !== undefined ? [`  ${asTyped(at.help)}`] : []),
  ]);
  return printable(lines.join('\n'));
}

/** An error for programs. */
export function errorJson(error: unknown): object {
  const code =
    error instanceof CommanderError ? 'usage' : error instanceof PwpError ? error.code : 'internal';
  const help = error instanceof PwpError && error.help !== undefined ? asTyped(error.help) : undefined;
  const message = messageOf(error).replace(/^error: /, '');
  return {
    error: { code, message, ...(help !== undefined && { help }), causes: causesOf(error).map(messageOf) },
  };
}

/** 2 if the machine or the command line does not meet the requirements, 130 when interrupted, else 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const all = [error, ...causesOf(error)];
  if (all.some((at) => at instanceof PwpError && at.code === 'cancelled')) return 130;
  const unfit: readonly PwpErrorCode[] = ['packages-missing', 'needs-root', 'usage', 'no-such-folder'];
  return error instanceof PwpError && unfit.includes(error.code) ? 2 : 1;
}
