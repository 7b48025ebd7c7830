import * as z from 'zod';
import { diagnosticsFreshness, formatProblem, toolProblem } from './edit-tools.ts';
import { extensionTools, settingTools } from './ide-settings-tools.ts';
import { defineTool, pathArgument, resultPath } from './tool.ts';

const problemCount = z.int().nonnegative();
const maxProblems = { files: 100, problems: 2000 };

const checkedFile = z.object({
  path: resultPath,
  state: diagnosticsFreshness,
  why: z.string().max(10_000).describe('the reason for the state'),
  document_version: z.int().nullable().describe("VS Code's number of the text that was checked"),
  problems: problemCount.describe('number of problems of the requested severities'),
});

/** Problems that language servers and linters report. */
const errorTools = {
  getErrors: defineTool({
    name: 'get_errors',
    title: 'Problems',
    description:
      'Returns the errors and warnings of files, as the Problems view shows them. Waits until they match the current text, unsaved changes included; otherwise it marks the problems of a file as stale. For a folder, it checks its TypeScript, JavaScript and Python, and what is open or has problems there: at most 100 files, and it says how many it left out.',
    family: 'ide',
    where: 'extension',
    readOnly: true,
    sources: [{ from: 'VS Code', name: 'get_errors' }],
    input: z.strictObject({
      paths: z
        .array(pathArgument)
        .max(50)
        .default([])
        .describe('files and folders; default: the whole workspace'),
      severity: z
        .enum(['error', 'warning', 'information', 'hint'])
        .default('warning')
        .describe('the lowest severity to return'),
      wait_ms: z
        .int()
        .min(0)
        .max(60_000)
        .default(10_000)
        .describe('maximum milliseconds to wait for language servers, for all files together'),
      limit: z.int().min(1).max(maxProblems.problems).default(200).describe('maximum number of problems'),
    }),
    output: z.object({
      problems: z.array(toolProblem).max(maxProblems.problems).describe('most severe first'),
      total: problemCount,
      errors: problemCount,
      files: z.array(checkedFile).max(maxProblems.files),
      not_checked: problemCount.describe('number of code files of the folders that were not looked at'),
      truncated: z
        .boolean()
        .describe(`there are more problems than the limit, or more than ${maxProblems.files} files`),
    }),
    text: ({ problems, total, files, not_checked: left, truncated }) =>
      [
        `${total} problems in ${files.length} files${truncated ? ', cut here' : ''}`,
        ...listUncheckedFiles(left),
        ...problems.map(formatProblem),
        ...files
          .filter(({ state }) => state !== 'fresh')
          .map(({ path, state, why }) => `${path}: ${state === 'none' ? 'not checked' : 'stale'}: ${why}`),
      ].join('\n'),
    effect: ({ total, files, not_checked: left }) => {
      const stale = files.filter(({ state }) => state === 'stale').length;
      const known = [`${total} problems in ${files.length} files`, ...listUncheckedFiles(left)].join('; ');
      return stale === 0 && left > 0
        ? { effect: 'partial', evidence: known }
        : stale === 0
          ? { effect: 'confirmed', evidence: known }
          : { effect: 'partial', evidence: `${known}; ${stale} files may have changed since` };
    },
  }),
};

function listUncheckedFiles(left: number): string[] {
  return left === 0 ? [] : [`${left} files were not looked at: name them, or a folder of them, in paths`];
}

const commandText = z.string().max(10_000);
const commandName = z.string().min(1).max(500);
const commandBase = { family: 'ide', where: 'extension' } as const;

/** Commands that `run_command` refuses, and why. */
export const guardedCommands: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /^_/, why: 'it is internal to the IDE' },
  {
    pattern:
      /^(?:workbench\.action\.(?:quit|closeWindow|closeOtherWindows|newWindow|reloadWindow.*|restartExtensionHost|closeFolder|openRecent|openWorkspace.*|switchWindow|quickSwitchWindow|duplicateWorkspaceInNewWindow|files\.open(?:Folder|FileFolder).*|remote\..*|toggleDevTools)|vscode\.(?:openFolder|newWindow)|workbench\.profiles\..*|workbench\.extensions\.action\.(?:disableAll|enableAll).*)$/,
    why: 'it would close, reload or replace the window',
  },
  {
    pattern:
      /^(?:workbench\.(?:trust|action\.manageTrust|extensions\.action\.manageTrust).*|workbench\.action\.(?:logout|clear.*Cookies).*)$/,
    why: 'it changes whom the IDE trusts',
  },
  {
    pattern: /^pwp\.(?:pauseAgents|resumeAgents|stopAgents|resetConsent)$/,
    why: 'it is for the person at this window',
  },
  {
    pattern: /^workbench\.action\.localHistory\.deleteAll$/,
    why: "what it deletes can't be restored",
  },
];

const keyBinding = z.object({
  key: commandText.describe('e.g. ctrl+k ctrl+c'),
  command: commandText,
  when: commandText.describe('the condition; empty if it always applies'),
  arguments: z.unknown().optional(),
  source: z.enum(['default', 'user']).describe('default: from VS Code or an extension'),
});

/** Commands and the keys that are bound to them. */
const commandTools = {
  listCommands: defineTool({
    ...commandBase,
    name: 'list_commands',
    title: 'Commands',
    description:
      'Lists commands of the IDE by words of their ids and titles, in any order, the best match first; if none has all words, those with most of them. VS Code reports titles only for commands of extensions.',
    readOnly: true,
    sources: [],
    input: z.strictObject({
      query: z.string().max(200).default('').describe('words or parts of words, e.g. toggle minimap'),
      limit: z.int().min(1).max(5000).default(100).describe('maximum number of commands'),
    }),
    output: z.object({
      commands: z
        .array(
          z.object({
            command: commandText,
            title: commandText.describe('empty if unknown'),
            guarded: commandText.nullable().describe('why run_command refuses it; null if it does not'),
          }),
        )
        .max(5000),
      total: z.int().nonnegative(),
      all_words: z.boolean().describe('false: none has all words of the query'),
      truncated: z.boolean(),
    }),
    text: ({ commands, total, all_words: allWords }) =>
      [
        allWords || total === 0
          ? `${total} commands fit`
          : `no command has all of these words; ${total} have most of them`,
        ...commands.map(
          (one) =>
            `${one.command}${one.title && `: ${one.title}`}${one.guarded === null ? '' : ' (guarded)'}`,
        ),
      ].join('\n'),
  }),
  runCommand: defineTool({
    ...commandBase,
    name: 'run_command',
    title: 'Run a command',
    description:
      'Runs a command of the IDE by its id and returns its result as JSON. Refuses internal commands (`_…`) and those that close, reload or replace the window, or change whom the IDE trusts. In arguments, {"$uri": "<path>"}, {"$position": {"line": 1, "column": 1}} and {"$range": {"start": {…}, "end": {…}}} become VS Code’s objects. A command that asks the user something keeps running, and the result says running: look at the screen then.',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'run_vscode_command' }],
    input: z.strictObject({
      command: commandName.describe('its id, e.g. editor.action.formatDocument'),
      arguments: z
        .array(z.unknown())
        .max(20)
        .default([])
        .refine((given) => JSON.stringify(given).length <= 1_000_000, 'at most a million characters of JSON')
        .describe('JSON values, in order'),
      timeout_ms: z
        .int()
        .min(0)
        .max(300_000)
        .default(10_000)
        .describe('maximum milliseconds to wait for its end; it is not stopped after that'),
    }),
    output: z.object({
      state: z.enum(['finished', 'running']),
      result: z.unknown().describe('null if it returned nothing, or nothing that is JSON'),
      note: commandText,
    }),
    text: ({ state, result, note }) =>
      [state, note, JSON.stringify(result)].filter((one) => one !== '').join('\n'),
    effect: ({ state, note }) => ({
      effect: state === 'finished' ? 'confirmed' : 'partial',
      evidence: note === '' ? `the command has ${state}` : note,
    }),
  }),
  listKeybindings: defineTool({
    ...commandBase,
    name: 'list_keybindings',
    title: 'Keybindings',
    description:
      "Lists the effective keybindings: those of VS Code and extensions, without those that the user's keybindings.json removes, and the user's own. If several have the same key, the first whose condition is true applies.",
    readOnly: true,
    sources: [],
    input: z.strictObject({
      command: z.string().max(500).optional().describe('part of the command’s id'),
      key: z.string().max(200).optional().describe('the whole key, e.g. ctrl+f, or the first of a chord'),
      limit: z.int().min(1).max(5000).default(100).describe('maximum number of keybindings'),
    }),
    output: z.object({
      keybindings: z.array(keyBinding).max(5000),
      total: z.int().nonnegative(),
      removed: z.array(keyBinding).max(500).describe('matching defaults that the user has removed'),
      truncated: z.boolean(),
    }),
    text: ({ keybindings, total, removed }) =>
      [
        `${total} keybindings fit`,
        ...keybindings.map((one) => `${formatBinding(one)}${one.source === 'user' ? ' (user)' : ''}`),
        ...removed.map((one) => `removed: ${formatBinding(one)}`),
      ].join('\n'),
  }),
};

function formatBinding({ key, command, when }: z.output<typeof keyBinding>): string {
  return `${key} → ${command}${when === '' ? '' : ` when ${when}`}`;
}

/** The IDE itself: its problems, settings, extensions, commands and keys. */
export const ideTools = { ...errorTools, ...settingTools, ...extensionTools, ...commandTools };
