import * as z from 'zod';
import { limits } from './connection.ts';
import { defineMethod } from './descriptor.ts';
import { ideCode } from './ide-code.ts';
import { ideChanges, ideEvents } from './ide-events.ts';
import { ideDebug, ideRun } from './ide-run.ts';

const uri = z.string().max(8192);
const text = z.string().max(10_000);

/** A position in a document: both zero-based; `character` in UTF-16 code units, as in VS Code's API. */
const position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });
const range = z.object({ start: position, end: position });

const ideInfo = z.object({
  app: text.describe('name of the application, e.g. code-server'),
  version: text.describe("VS Code's version"),
  host: text.describe('appHost: desktop, server-distro, …'),
  session: text.describe("VS Code's id of this window session"),
  processId: z.int().describe('of the extension host'),
});

const editorTab = z.object({
  label: text,
  kind: z.enum(['text', 'diff', 'notebook', 'custom', 'webview', 'terminal', 'other']),
  uri: uri.optional(),
  active: z.boolean(),
  dirty: z.boolean(),
  pinned: z.boolean(),
  preview: z.boolean(),
});

const editor = z.object({
  uri,
  language: text,
  version: z.int().describe('rises with every change of the document'),
  dirty: z.boolean(),
  lines: z.int().nonnegative(),
  text: z.string().max(limits.editorText).optional().describe('absent unless requested'),
  truncated: z.boolean().describe('true when text was cut at maxChars'),
  endOfLine: z.enum(['\n', '\r\n']),
  selections: z.array(z.object({ anchor: position, active: position })).max(10_000),
  visible: z.array(range).max(1000),
});

const diagnostic = z.object({
  uri,
  range,
  severity: z.enum(['error', 'warning', 'information', 'hint']),
  message: text,
  source: text.optional(),
  code: text.optional(),
});

const setting = z.object({
  key: text,
  effective: z.unknown().optional().describe('absent if the setting has no value'),
  source: z
    .enum(['default', 'user', 'workspace', 'folder'])
    .describe('the scope that the effective value comes from; a language override counts under its scope'),
  language: text.optional().describe('the requested language, if its override applies'),
  defaultValue: z.unknown().optional(),
  userValue: z.unknown().optional(),
  workspaceValue: z.unknown().optional(),
  folderValue: z.unknown().optional(),
});

const extensionInfo = z.object({
  id: text,
  name: text,
  version: text,
  builtin: z.boolean(),
  active: z.boolean(),
});

const change = z.object({
  uri,
  status: text.describe("git's word in VS Code, e.g. modified, added, deleted, untracked, both modified"),
});

const openRepository = z.object({
  root: uri,
  branch: text.nullable().describe('null if no branch is checked out'),
  commit: text.nullable().describe('hash of HEAD; null before the first commit'),
  ahead: z.int().nonnegative().describe('commits that the upstream branch does not have'),
  behind: z.int().nonnegative(),
  staged: z.array(change).max(1000),
  unstaged: z.array(change).max(1000).describe('untracked files among them'),
  conflicts: z.array(change).max(1000),
  branches: z.array(text).max(500).describe('local ones'),
  truncated: z.boolean().describe('a list was cut'),
});

/** The state of the IDE. Served by the extension; the bridge passes these methods on unchanged. */
export const ide = {
  info: defineMethod('ide.info', z.object({}), ideInfo),
  workspace: defineMethod(
    'ide.workspace',
    z.object({}),
    z.object({
      name: text.nullable(),
      folders: z.array(z.object({ name: text, uri })).max(1000),
      trusted: z.boolean(),
    }),
  ),
  /** Editor groups from left to right with their tabs in order. */
  tabs: defineMethod(
    'ide.tabs',
    z.object({}),
    z.object({
      groups: z
        .array(z.object({ active: z.boolean(), column: z.int(), tabs: z.array(editorTab).max(5000) }))
        .max(100),
    }),
  ),
  /** The active text editor, or null when none has focus or had it last. */
  editor: defineMethod(
    'ide.editor',
    z.object({
      includeText: z.boolean().default(false),
      current: z
        .boolean()
        .default(false)
        .describe('first wait until the extension knows everything that the window has done so far'),
      maxChars: z.int().positive().max(limits.editorText).default(200_000),
    }),
    z.object({ editor: editor.nullable() }),
  ),
  diagnostics: defineMethod(
    'ide.diagnostics',
    z.object({
      uri: uri.optional().describe('of one document; all by default'),
      limit: z.int().positive().max(10_000).default(500),
    }),
    z.object({ diagnostics: z.array(diagnostic).max(10_000), omitted: z.int().nonnegative() }),
  ),
  /** Effective settings with where each comes from. Errors: `NotFound` for a key that no one registered, `TooLarge`. */
  settings: defineMethod(
    'ide.settings',
    z.object({
      keys: z.array(text).min(1).max(500).describe('full keys, e.g. files.autoSave'),
      language: text.optional().describe('resolve as in a document of this language'),
      uri: uri
        .optional()
        .describe('resolve as in this document or folder; the first workspace folder by default'),
    }),
    z.object({ settings: z.array(setting).max(500) }),
  ),
  /** The text of unsaved editors, once the extension knows everything that the window has done so far. */
  unsaved: defineMethod(
    'ide.unsaved',
    z.object({
      maxChars: z
        .int()
        .positive()
        .max(limits.editorText)
        .default(400_000)
        .describe('UTF-16 code units of all texts together'),
    }),
    z.object({
      documents: z
        .array(
          z.object({
            uri,
            hash: z.string().max(64).describe('SHA-256 of the text, in hexadecimal'),
            text: z.string().max(limits.editorText).nullable().describe('null where there is no room for it'),
          }),
        )
        .max(200),
      omitted: z.int().nonnegative(),
    }),
  ),
  /** Registered settings of VS Code and its extensions whose value in some scope differs from the default. */
  changedSettings: defineMethod(
    'ide.changedSettings',
    z.object({ limit: z.int().positive().max(500).default(200) }),
    z.object({ settings: z.array(setting).max(500), omitted: z.int().nonnegative() }),
  ),
  /** Source control as VS Code's own git extension reports it, after it has read the disk again. */
  sourceControl: defineMethod(
    'ide.sourceControl',
    z.object({}),
    z.object({
      repositories: z.array(openRepository).max(50),
      missing: text.nullable().describe('why git is missing; null if it is there'),
    }),
  ),
  /**
   * Work that may not show on the screen: shells until their first prompt, terminal commands, tasks, debugged programs
   * between two stops.
   */
  work: defineMethod(
    'ide.work',
    z.object({}),
    z.object({
      running: z
        .array(
          z.object({
            what: text.describe('e.g. `command npm test`'),
            ageMs: z.number().nonnegative().describe('since it began or was resumed, in milliseconds'),
          }),
        )
        .max(100),
    }),
  ),
  extensions: defineMethod(
    'ide.extensions',
    z.object({ includeBuiltin: z.boolean().default(false) }),
    z.object({ extensions: z.array(extensionInfo).max(5000) }),
  ),
  ...ideRun,
  ...ideDebug,
  ...ideCode,
  ...ideChanges,
  ...ideEvents,
};

export type IdeInfo = z.output<typeof ideInfo>;
export type EditorTab = z.output<typeof editorTab>;
export type Editor = z.output<typeof editor>;
export type Diagnostic = z.output<typeof diagnostic>;
export type Setting = z.output<typeof setting>;
export type ExtensionInfo = z.output<typeof extensionInfo>;
export type OpenRepository = z.output<typeof openRepository>;
