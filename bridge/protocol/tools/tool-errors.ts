import * as z from 'zod';
import { ErrorCode, RpcError } from '../connection.ts';

/** Why a tool failed. Nothing was changed unless the message says so. */
export const toolErrorReasons = {
  'unknown-tool': 'no tool has this name',
  'bad-arguments': 'the arguments do not fit the schema, or each other',
  'outside-workspace': 'the path leads out of the workspace, through `..` or a link',
  'not-found': 'there is no such file, folder or other item',
  'already-exists': 'something exists there already',
  'not-a-file': 'there is a folder, a pipe or a device',
  'not-a-folder': 'there is a file',
  'binary-file': 'the file is not text',
  'too-large': 'more than the tool accepts or returns',
  'unknown-encoding': "the text can't be read and written back unchanged",
  'stale-version': 'the file has changed since it was read: read it again',
  'unsaved-changes': 'the editor has changes that this would discard',
  'no-match': 'the text to replace does not occur',
  'ambiguous-match': 'the text to replace occurs more than once',
  'bad-pattern': 'the regular expression or glob is invalid',
  'no-search-program': 'ripgrep is missing',
  'no-language-server': 'the IDE has no language server for this language',
  'language-server-timeout': 'the language server did not answer in time',
  'timed-out': 'it took longer than allowed',
  'write-failed': 'the system or the IDE did not accept the change',
  guarded: 'the command is one that tools do not run',
  'restricted-mode': 'the window is in Restricted Mode, in which tools only read, and run no code',
  'not-allowed': 'the person at this window has not allowed it',
  'agents-paused': 'the person at this window has paused agents: tools only read',
  'agents-stopped': 'the person at this window has stopped agents: no tool is run',
  'not-supported': 'VS Code has no call for this',
  'no-shell-integration': 'the shell does not report the start and end of commands',
  'terminal-busy': 'a command still runs in this terminal',
  'no-test-runner': 'no program that runs tests was found for this folder',
  'no-interpreter': 'the program that runs such code is missing',
  'no-debug-adapter': 'the IDE has no debugger for this type of program',
  'debug-adapter-timeout': 'the debug adapter did not answer in time',
  'no-debug-session': 'no program is being debugged',
  'not-stopped': 'the debugged program is running, so it has no stack to read',
  'no-formatter': 'the IDE has no formatter for this language',
  'refactor-refused': 'the language server refuses this here; the message has its reason',
  'bad-query': "the database can't parse the statement, or refuses it",
  'not-a-database': 'the file is not a database, or it is broken',
  'read-only': 'the statement would change the database or access another file',
  'not-an-image': 'the file is not a picture of a known kind',
  'no-server': 'nothing answers at this address',
  'no-program': 'a program that this needs is not installed here',
  'bad-profile': 'the file is not a CPU profile of a known format',
  failed: 'anything else; see the message',
} as const;
export type ToolErrorReason = keyof typeof toolErrorReasons;

/** What a caller can do about a failure, by its reason, unless the error says more. */
const usualHelp: Readonly<Partial<Record<ToolErrorReason, string>>> = {
  'not-found': 'Look for its name: list_dir and file_search show what is there',
  'already-exists': 'Give another name, or change what is there',
  'not-a-file': 'Give the path of a file',
  'not-a-folder': 'Give the path of a folder: list_dir shows what is there',
  'binary-file': 'Use a program that reads such files, in the shell',
  'bad-pattern': 'Fix the pattern, or search for plain text',
  'refactor-refused': 'Nothing was changed: choose another name or place',
  'bad-query': 'Fix the statement',
  'not-an-image': 'Give the path of a picture, or use open_file',
  'language-server-timeout': 'Try again, with a longer timeout_ms',
  'no-language-server': 'Use grep_search, or edit the files yourself',
  'not-a-database': 'Give the path of an SQLite file',
  guarded: 'Leave it to a person',
  'no-program': 'Install it, or use another tool',
  'no-server': 'Start the server first, and check that it listens there',
};

/** `data` of a wire error with the code `Tool`. */
export const toolErrorData = z.object({
  reason: z.string().max(100).describe('kebab-case, one of `toolErrorReasons`; a newer peer may send others'),
  help: z.string().max(10_000).optional().describe('what the caller can do about it'),
});

/** The error of a tool that failed; without a help text, it has the usual one of its reason. */
export function toolError(
  reason: ToolErrorReason,
  message: string,
  options: { help?: string; cause?: unknown } = {},
): RpcError {
  const { help = usualHelp[reason], cause } = options;
  const data = { reason, ...(help !== undefined && { help }) };
  const whole = help === undefined ? message : `${message}. ${help}`;
  return new RpcError(ErrorCode.Tool, whole, { data, ...(cause !== undefined && { cause }) });
}

/** The reason of a tool's error; undefined for any other value that was thrown. */
export function toolErrorReason(error: unknown): string | undefined {
  if (!(error instanceof RpcError) || error.code !== ErrorCode.Tool) return undefined;
  return toolErrorData.safeParse(error.data).data?.reason;
}
