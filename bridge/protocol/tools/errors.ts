import * as z from 'zod';
import { ErrorCode, RpcError } from '../errors.ts';

/** Why a tool did not do what it was asked for. Nothing was changed unless the message says so. */
export const toolErrorReasons = {
  'unknown-tool': 'no tool has this name',
  'bad-arguments': 'the arguments do not fit the schema, or each other',
  'outside-workspace': 'the path leads out of the workspace, by `..` or by a link',
  'not-found': 'there is no such file, folder, or thing',
  'already-exists': 'something is there already',
  'not-a-file': 'a folder, a pipe or a device is there',
  'not-a-folder': 'a file is there',
  'binary-file': 'the file holds no text',
  'too-large': 'more than the tool takes or gives',
  'unknown-encoding': 'the text can not be read and written back byte for byte',
  'stale-version': 'the file is not the one that was read: read it again',
  'unsaved-changes': 'the editor holds changes that this would throw away',
  'no-match': 'the text to replace is not there',
  'ambiguous-match': 'the text to replace is there more than once',
  'bad-pattern': 'the regular expression or glob can not be read',
  'no-search-program': 'ripgrep is missing',
  'no-language-server': 'nothing in the IDE answers such questions for this language',
  'language-server-timeout': 'the language server did not answer in time',
  'timed-out': 'it took longer than it may',
  'write-failed': 'the system or the IDE did not take the change',
  guarded: 'the command is one that tools do not run',
  'not-supported': 'VS Code gives no way to do this by a call',
  'no-shell-integration': 'the shell does not report where commands begin and end',
  'terminal-busy': 'a command still runs in this terminal',
  'no-test-runner': 'no program that runs tests was found for this folder',
  'no-interpreter': 'the program that runs such code is missing',
  'no-debug-adapter': 'nothing in the IDE debugs this type of program',
  'debug-adapter-timeout': 'the debug adapter did not answer in time',
  'no-debug-session': 'no program is being debugged',
  'not-stopped': 'the debugged program runs, so that it has no stack to look at',
  'no-formatter': 'nothing in the IDE formats this language',
  'refactor-refused': 'the language server does not do this here; the message has its words',
  'bad-query': 'the database does not understand the statement, or refuses it',
  'not-a-database': 'the file is no database, or a broken one',
  'read-only': 'the statement would change the database or reach another file',
  'not-an-image': 'the file holds no picture of a kind that is known',
  'no-server': 'nothing answers at this address',
  'no-program': 'a program that this needs is not installed here',
  'bad-profile': 'the file is no CPU profile that is understood',
  failed: 'anything else; see the message',
} as const;
export type ToolErrorReason = keyof typeof toolErrorReasons;

/** `data` of a wire error with the code `Tool`. */
export const toolErrorData = z.object({
  reason: z.string().max(100).describe('kebab-case, one of `toolErrorReasons`; a newer peer may send others'),
  help: z.string().max(10_000).optional().describe('what the caller can do about it'),
});

/** The error of a tool that did not do what it was asked for. */
export function toolError(
  reason: ToolErrorReason,
  message: string,
  options: { help?: string; cause?: unknown } = {},
): RpcError {
  const { help, cause } = options;
  const data = { reason, ...(help !== undefined && { help }) };
  const whole = help === undefined ? message : `${message}. ${help}`;
  return new RpcError(ErrorCode.Tool, whole, { data, ...(cause !== undefined && { cause }) });
}

/** Why a tool failed, of anything that was thrown; undefined where it is no tool's error. */
export function toolErrorReason(error: unknown): string | undefined {
  if (!(error instanceof RpcError) || error.code !== ErrorCode.Tool) return undefined;
  return toolErrorData.safeParse(error.data).data?.reason;
}
