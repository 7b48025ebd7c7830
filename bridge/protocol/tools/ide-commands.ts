import * as z from 'zod';
import { tool } from './descriptor.ts';

const text = z.string().max(10_000);
const name = z.string().min(1).max(500);
const base = { family: 'ide', where: 'extension' } as const;

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

const binding = z.object({
  key: text.describe('e.g. ctrl+k ctrl+c'),
  command: text,
  when: text.describe('the condition; empty if it always applies'),
  arguments: z.unknown().optional(),
  source: z.enum(['default', 'user']).describe('default: from VS Code or an extension'),
});

/** Commands and the keys that are bound to them. */
export const commandTools = {
  listCommands: tool({
    ...base,
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
            command: text,
            title: text.describe('empty if unknown'),
            guarded: text.nullable().describe('why run_command refuses it; null if it does not'),
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
  runCommand: tool({
    ...base,
    name: 'run_command',
    title: 'Run a command',
    description:
      'Runs a command of the IDE by its id and returns its result as JSON. Refuses internal commands (`_…`) and those that close, reload or replace the window, or change whom the IDE trusts. In arguments, {"$uri": "<path>"}, {"$position": {"line": 1, "column": 1}} and {"$range": {"start": {…}, "end": {…}}} become VS Code’s objects. A command that asks the user something keeps running, and the result says running: look at the screen then.',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'run_vscode_command' }],
    input: z.strictObject({
      command: name.describe('its id, e.g. editor.action.formatDocument'),
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
      note: text,
    }),
    text: ({ state, result, note }) =>
      [state, note, JSON.stringify(result)].filter((one) => one !== '').join('\n'),
    effect: ({ state, note }) => ({
      effect: state === 'finished' ? 'confirmed' : 'partial',
      evidence: note === '' ? `the command has ${state}` : note,
    }),
  }),
  listKeybindings: tool({
    ...base,
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
      keybindings: z.array(binding).max(5000),
      total: z.int().nonnegative(),
      removed: z.array(binding).max(500).describe('matching defaults that the user has removed'),
      truncated: z.boolean(),
    }),
    text: ({ keybindings, total, removed }) =>
      [
        `${total} keybindings fit`,
        ...keybindings.map((one) => `${bindingLine(one)}${one.source === 'user' ? ' (user)' : ''}`),
        ...removed.map((one) => `removed: ${bindingLine(one)}`),
      ].join('\n'),
  }),
};

function bindingLine({ key, command, when }: z.output<typeof binding>): string {
  return `${key} → ${command}${when === '' ? '' : ` when ${when}`}`;
}
