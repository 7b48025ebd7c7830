import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { tool } from './descriptor.ts';
import { pathIn } from './shared.ts';

const key = z.string().min(1).max(500);
const language = z.string().min(1).max(200);
const scope = z.enum(['default', 'user', 'workspace', 'folder']);
const value = z.unknown();
const base = { family: 'ide', where: 'extension' } as const;

const setting = z.object({
  key,
  effective: value.describe('the effective value'),
  source: scope.describe('where the effective value comes from'),
  source_language: language.optional().describe('the effective value is an override for this language'),
  default: value.optional(),
  user: value.optional(),
  workspace: value.optional(),
  folder: value.optional().describe('only in a window with several folders'),
  languages: z
    .array(z.object({ language, scope, value }))
    .max(500)
    .describe('overrides for languages, as in `"[python]": {…}`'),
});

const about = {
  language: language
    .optional()
    .describe("VS Code's id of a language, e.g. python: the value for files of this language"),
  path: pathIn.optional().describe('the value for this file or folder; default: the first folder'),
};

/** Reading and changing settings. */
export const settingTools = {
  getSettings: tool({
    ...base,
    name: 'get_settings',
    title: 'Settings',
    description:
      'Returns settings of the IDE by name, or those whose name contains a text: the effective value and its source, and the value in each scope (default, user, workspace, folder, and overrides for languages).',
    readOnly: true,
    sources: [],
    input: z.strictObject({
      keys: z.array(key).max(200).default([]).describe('full names, e.g. editor.tabSize'),
      query: z.string().min(1).max(200).optional().describe('part of a name, instead of keys'),
      ...about,
      limit: z.int().min(1).max(200).default(50).describe('maximum number of settings'),
    }),
    output: z.object({
      settings: z.array(setting).max(200),
      truncated: z.boolean().describe('more settings match the query'),
    }),
    text: ({ settings, truncated }) =>
      [...settings.map(settingLine), ...(truncated ? ['more settings match'] : [])].join('\n') || 'none fits',
  }),
  setSetting: tool({
    ...base,
    name: 'set_setting',
    title: 'Change a setting',
    description:
      'Writes a setting of the IDE in one scope, or removes it there, and reads back the effective value: a stronger scope may still override it. Refuses a value that the setting can’t have.',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      key: key.describe('full name, e.g. editor.tabSize'),
      value: value.optional().describe('JSON; to remove the value, leave this out and set remove'),
      remove: z.boolean().default(false).describe('remove the value of this scope'),
      scope: z
        .enum(['user', 'workspace', 'folder'])
        .default('user')
        .describe('folder: needs a window with several folders, and a path'),
      ...about,
    }),
    output: z.object({
      setting,
      before: value.describe('the effective value before'),
      changed: z.boolean().describe('false: the scope had this already'),
      written: z.boolean().describe('the scope has the value now'),
      counts: z.boolean().describe('the effective value is the requested one'),
    }),
    text: ({ setting: now, changed, counts }) =>
      `${settingLine(now)}${changed ? '' : '\nit was so already'}${counts ? '' : '\nwhat was written does not count: a stronger scope has a value'}`,
    effect: ({ setting: now, changed, written, counts }) => ({
      effect: !written || !changed ? 'no-effect' : counts ? 'confirmed' : 'partial',
      evidence: clip(settingLine(now), 500),
    }),
  }),
};

function settingLine(one: z.output<typeof setting>): string {
  const { key: name, effective, source, source_language: of, languages } = one;
  const scopes = (['default', 'user', 'workspace', 'folder'] as const)
    .filter((each) => one[each] !== undefined && each !== source)
    .map((each) => `${each} ${JSON.stringify(one[each])}`);
  const overrides = languages.map((each) => `[${each.language}] ${each.scope} ${JSON.stringify(each.value)}`);
  const by = of === undefined ? source : `${source} [${of}]`;
  return [`${name} = ${JSON.stringify(effective)} (${by})`, ...scopes, ...overrides].join('; ');
}
