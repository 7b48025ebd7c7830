import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { defineTool, pathArgument } from './tool.ts';

const settingKey = z.string().min(1).max(500);
const settingLanguage = z.string().min(1).max(200);
const settingScope = z.enum(['default', 'user', 'workspace', 'folder']);
const settingValue = z.unknown();
const settingBase = { family: 'ide', where: 'extension' } as const;

const toolSetting = z.object({
  key: settingKey,
  effective: settingValue.describe('the effective value'),
  source: settingScope.describe('where the effective value comes from'),
  source_language: settingLanguage
    .optional()
    .describe('the effective value is an override for this language'),
  default: settingValue.optional(),
  user: settingValue.optional(),
  workspace: settingValue.optional(),
  folder: settingValue.optional().describe('only in a window with several folders'),
  languages: z
    .array(z.object({ language: settingLanguage, scope: settingScope, value: settingValue }))
    .max(500)
    .describe('overrides for languages, as in `"[python]": {…}`'),
});

const settingInfo = {
  language: settingLanguage
    .optional()
    .describe("VS Code's id of a language, e.g. python: the value for files of this language"),
  path: pathArgument.optional().describe('the value for this file or folder; default: the first folder'),
};

/** Reading and changing settings. */
export const settingTools = {
  getSettings: defineTool({
    ...settingBase,
    name: 'get_settings',
    title: 'Settings',
    description:
      'Returns settings of the IDE by name, or those whose name contains a text: the effective value and its source, and the value in each scope (default, user, workspace, folder, and overrides for languages).',
    readOnly: true,
    sources: [],
    input: z.strictObject({
      keys: z.array(settingKey).max(200).default([]).describe('full names, e.g. editor.tabSize'),
      query: z.string().min(1).max(200).optional().describe('part of a name, instead of keys'),
      ...settingInfo,
      limit: z.int().min(1).max(200).default(50).describe('maximum number of settings'),
    }),
    output: z.object({
      settings: z.array(toolSetting).max(200),
      truncated: z.boolean().describe('more settings match the query'),
    }),
    text: ({ settings, truncated }) =>
      [...settings.map(formatSetting), ...(truncated ? ['more settings match'] : [])].join('\n') ||
      'none fits',
  }),
  setSetting: defineTool({
    ...settingBase,
    name: 'set_setting',
    title: 'Change a setting',
    description:
      'Writes a setting of the IDE in one scope, or removes it there, and reads back the effective value: a stronger scope may still override it. Refuses a value that the setting can’t have.',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      key: settingKey.describe('full name, e.g. editor.tabSize'),
      value: settingValue.optional().describe('JSON; to remove the value, leave this out and set remove'),
      remove: z.boolean().default(false).describe('remove the value of this scope'),
      scope: z
        .enum(['user', 'workspace', 'folder'])
        .default('user')
        .describe('folder: needs a window with several folders, and a path'),
      ...settingInfo,
    }),
    output: z.object({
      setting: toolSetting,
      before: settingValue.describe('the effective value before'),
      changed: z.boolean().describe('false: the scope had this already'),
      written: z.boolean().describe('the scope has the value now'),
      counts: z.boolean().describe('the effective value is the requested one'),
    }),
    text: ({ setting: now, changed, counts }) =>
      `${formatSetting(now)}${changed ? '' : '\nit was so already'}${counts ? '' : '\nwhat was written does not count: a stronger scope has a value'}`,
    effect: ({ setting: now, changed, written, counts }) => ({
      effect: !written || !changed ? 'no-effect' : counts ? 'confirmed' : 'partial',
      evidence: clip(formatSetting(now), 500),
    }),
  }),
};

function formatSetting(one: z.output<typeof toolSetting>): string {
  const { key: name, effective, source, source_language: of, languages } = one;
  const scopes = (['default', 'user', 'workspace', 'folder'] as const)
    .filter((each) => one[each] !== undefined && each !== source)
    .map((each) => `${each} ${JSON.stringify(one[each])}`);
  const overrides = languages.map((each) => `[${each.language}] ${each.scope} ${JSON.stringify(each.value)}`);
  const by = of === undefined ? source : `${source} [${of}]`;
  return [`${name} = ${JSON.stringify(effective)} (${by})`, ...scopes, ...overrides].join('; ');
}

const extensionText = z.string().max(10_000);
const extensionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]*\.[A-Za-z0-9][A-Za-z0-9-]*$/)
  .max(300);

const installedExtension = z.object({
  id: extensionText,
  name: extensionText,
  version: extensionText,
  description: extensionText,
  builtin: z.boolean().describe('part of VS Code, or of this image'),
  active: z.boolean().describe('it has been started'),
});

/** Extensions, as far as VS Code lets one extension manage others. */
export const extensionTools = {
  listExtensions: defineTool({
    name: 'list_extensions',
    title: 'Extensions',
    description:
      'Lists the extensions that are installed and enabled. VS Code reports no others: disabled extensions, and those that wait for a reload, are missing.',
    family: 'ide',
    where: 'extension',
    readOnly: true,
    sources: [],
    input: z.strictObject({
      query: z.string().max(200).default('').describe('part of an id, name or description'),
      include_builtin: z.boolean().default(false).describe('include those of VS Code itself'),
    }),
    output: z.object({ extensions: z.array(installedExtension).max(1000), truncated: z.boolean() }),
    text: ({ extensions }) =>
      [
        `${extensions.length} extensions`,
        ...extensions.map(
          (one) => `${one.id} ${one.version}${one.active ? ' (active)' : ''}${one.name && `: ${one.name}`}`,
        ),
      ].join('\n'),
  }),
  manageExtension: defineTool({
    name: 'manage_extension',
    title: 'Install or enable an extension',
    description:
      'Installs an extension from the gallery or a .vsix file of the workspace, enables a disabled one, or uninstalls one, and waits until the IDE confirms it. A running extension that was uninstalled stays until the window is reloaded. VS Code has no call to disable an extension: this is refused with not-supported; use the Extensions view.',
    family: 'ide',
    where: 'extension',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'install_extension' }],
    input: z.strictObject({
      action: z.enum(['install', 'enable', 'uninstall', 'disable']).describe('what to do'),
      id: extensionId.optional().describe('publisher.name; not for a .vsix file'),
      vsix: z.string().min(1).max(4096).optional().describe('install: path of a .vsix file in the workspace'),
      timeout_ms: z
        .int()
        .min(1000)
        .max(300_000)
        .default(60_000)
        .describe('milliseconds until it is cancelled'),
    }),
    output: z.object({
      id: extensionText.describe('empty for a .vsix file whose extension did not appear'),
      present: z.boolean().describe('the IDE lists it now'),
      changed: z.boolean(),
      note: extensionText,
    }),
    text: ({ note }) => note,
    effect: ({ changed, note }) => ({ effect: changed ? 'confirmed' : 'no-effect', evidence: note }),
  }),
};
