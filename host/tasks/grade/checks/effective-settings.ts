import { isJsonObject } from '../../../../bridge/text/index.ts';
import { type AgentFiles, agentWorkspace, readJsonc } from './agent-files.ts';

/** Where settings are kept, a later one over an earlier one; `remote` is code-server's machine scope. */
const settingFiles = [
  { scope: 'user', path: '/ide/data/User/settings.json' },
  { scope: 'remote', path: '/ide/data/Machine/settings.json' },
  { scope: 'workspace', path: `${agentWorkspace}/.vscode/settings.json` },
] as const;

/** The defaults of the sandbox's IDE for settings that tasks ask for. */
export const ideDefaults: Readonly<Record<string, unknown>> = {
  'editor.formatOnSave': false,
  'editor.snippetSuggestions': 'inline',
  'files.autoSave': 'off',
  'files.autoSaveDelay': 1000,
  'files.exclude': {
    '**/.git': true,
    '**/.svn': true,
    '**/.hg': true,
    '**/.DS_Store': true,
    '**/Thumbs.db': true,
  },
  'window.autoDetectColorScheme': false,
  'window.restoreWindows': 'all',
  'workbench.colorTheme': 'Light 2026',
  'workbench.preferredDarkColorTheme': 'Dark 2026',
  'workbench.preferredLightColorTheme': 'Light 2026',
};

/**
 * Settings that VS Code takes from the user's settings alone, since they are about the program and not about a folder.
 */
const userOnlySettings = ['window.restoreWindows'] as const;

/**
 * The settings in force in what the agent left, computed from the files as VS Code does: default, user, remote,
 * workspace, then overrides for the language, those for it alone last.
 */
export class Settings {
  /** Why the files can't be believed; empty if they can. */
  readonly problems: readonly string[];
  readonly #values: SettingTree;
  readonly #overrides: readonly LanguageOverride[];

  private constructor(
    problems: readonly string[],
    values: SettingTree,
    overrides: readonly LanguageOverride[],
  ) {
    this.problems = problems;
    this.#values = values;
    this.#overrides = overrides;
  }

  /** Reads all scopes. A missing file has no settings; one that can't be read is a problem. */
  static async read(
    files: AgentFiles,
    defaults: Readonly<Record<string, unknown>> = ideDefaults,
  ): Promise<Settings> {
    const problems: string[] = [];
    const overrides: LanguageOverride[] = [];
    let values: SettingTree = toSettingTree(Object.entries(defaults));
    for (const { scope, path } of settingFiles) {
      const file = await readJsonc(files, path);
      if (file.kind === 'malformed') problems.push(file.why);
      if (file.kind !== 'object') continue;
      const parts = splitSettings(file.value);
      values = mergeTrees(
        values,
        scope === 'user' ? parts.values : withoutSettings(parts.values, userOnlySettings),
      ) as SettingTree;
      overrides.push(...parts.overrides);
    }
    return new Settings(problems, values, overrides);
  }

  /** A setting's value in force, in documents of a language if one is given. */
  effective(key: string, language?: string): unknown {
    if (language === undefined) return copyJson(lookUpSetting(this.#values, key));
    const own = this.#overrides.filter(({ languages }) => languages.includes(language));
    const shared = own.filter(({ languages }) => languages.length > 1);
    const alone = own.filter(({ languages }) => languages.length === 1);
    const layers = [
      this.#values,
      ...shared.map(({ values }) => values),
      ...alone.map(({ values }) => values),
    ];
    return copyJson(lookUpSetting(layers.reduce<unknown>(mergeTrees, {}) as SettingTree, key));
  }

  /** All languages that some override names. */
  get languages(): string[] {
    return [...new Set(this.#overrides.flatMap(({ languages }) => languages))];
  }
}

/** An ordinary copy of a value of JSON, which compares as one. */
function copyJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/**
 * Settings as VS Code holds them: a tree in which `files.autoSave` and `{"files": {"autoSave": …}}` are one thing.
 * The value of a setting may be an object of its own; its keys are not split.
 */
type SettingTree = Readonly<Record<string, unknown>>;

/** Settings of one language: the languages that an override such as `[json][jsonc]` is for, and its values. */
interface LanguageOverride {
  readonly languages: readonly string[];
  readonly values: SettingTree;
}

/** The two kinds of things in a settings.json. */
function splitSettings(raw: Readonly<Record<string, unknown>>): {
  values: SettingTree;
  overrides: LanguageOverride[];
} {
  const plain: [string, unknown][] = [];
  const overrides: LanguageOverride[] = [];
  for (const [key, value] of Object.entries(raw)) {
    if (!isLanguageKey(key)) plain.push([key, value]);
    else if (isJsonObject(value))
      overrides.push({ languages: listOverrideLanguages(key), values: toSettingTree(Object.entries(value)) });
  }
  return { values: toSettingTree(plain), overrides };
}

/** The value at a dotted key, or undefined. */
export function lookUpSetting(values: SettingTree, key: string): unknown {
  let value: unknown = values;
  for (const part of key.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** Later values over earlier ones; objects are merged key by key, as VS Code does across scopes. */
function mergeTrees(below: unknown, over: unknown): unknown {
  if (!isJsonObject(below) || !isJsonObject(over)) return over;
  const merged = emptyTree();
  for (const [key, value] of [...Object.entries(below), ...Object.entries(over)]) {
    merged[key] = Object.hasOwn(merged, key) ? mergeTrees(merged[key], value) : value;
  }
  return merged;
}

/** The same without the values at these dotted keys. */
function withoutSettings(values: SettingTree, keys: readonly string[]): SettingTree {
  return keys.reduce((left, key) => removeSetting(left, key.split('.')), values);
}

function removeSetting(values: SettingTree, [first = '', ...rest]: readonly string[]): SettingTree {
  const { [first]: below, ...others } = values;
  if (below === undefined) return values;
  return rest.length > 0 && isJsonObject(below) ? { ...others, [first]: removeSetting(below, rest) } : others;
}

export function toSettingTree(entries: readonly (readonly [string, unknown])[]): SettingTree {
  const tree = emptyTree();
  for (const [key, value] of entries) insertSetting(tree, key.split('.'), value);
  return tree;
}

function insertSetting(tree: Record<string, unknown>, parts: readonly string[], value: unknown): void {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const below = Object.hasOwn(tree, first) ? tree[first] : (tree[first] = emptyTree());
  // As in VS Code, a key below a plain value is left out.
  if (isJsonObject(below)) insertSetting(below, rest, value);
}

/** Without a prototype, so that a key such as `__proto__` is a key like any other. */
function emptyTree(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function isLanguageKey(key: string): boolean {
  return /^(\[[^\]]+\])+$/.test(key);
}

function listOverrideLanguages(key: string): string[] {
  return [...key.matchAll(/\[([^\]]+)\]/g)].map(([, language = '']) => language.trim());
}
