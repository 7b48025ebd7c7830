import type { AgentFiles } from './agent-files.ts';
import { readJsonc } from './jsonc.ts';
import { lookUp, merge, splitSettings, toTree, without, type Override, type Values } from './values.ts';

/** Where settings are kept, a later one over an earlier one; `remote` is code-server's machine scope. */
const scopes = [
  { scope: 'user', path: '/ide/data/User/settings.json' },
  { scope: 'remote', path: '/ide/data/Machine/settings.json' },
  { scope: 'workspace', path: '/workspace/.vscode/settings.json' },
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
const userOnly = ['window.restoreWindows'] as const;

/**
 * The settings in force in what the agent left, computed from the files as VS Code does: default, user, remote,
 * workspace, then overrides for the language, those for it alone last.
 */
export class Settings {
  /** Why the files can't be believed; empty if they can. */
  readonly problems: readonly string[];
  readonly #values: Values;
  readonly #overrides: readonly Override[];

  private constructor(problems: readonly string[], values: Values, overrides: readonly Override[]) {
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
    const overrides: Override[] = [];
    let values: Values = toTree(Object.entries(defaults));
    for (const { scope, path } of scopes) {
      const file = await readJsonc(files, path);
      if (file.kind === 'malformed') problems.push(file.why);
      if (file.kind !== 'object') continue;
      const parts = splitSettings(file.value);
      values = merge(values, scope === 'user' ? parts.values : without(parts.values, userOnly)) as Values;
      overrides.push(...parts.overrides);
    }
    return new Settings(problems, values, overrides);
  }

  /** A setting's value in force, in documents of a language if one is given. */
  effective(key: string, language?: string): unknown {
    if (language === undefined) return plain(lookUp(this.#values, key));
    const own = this.#overrides.filter(({ languages }) => languages.includes(language));
    const shared = own.filter(({ languages }) => languages.length > 1);
    const alone = own.filter(({ languages }) => languages.length === 1);
    const layers = [
      this.#values,
      ...shared.map(({ values }) => values),
      ...alone.map(({ values }) => values),
    ];
    return plain(lookUp(layers.reduce<unknown>(merge, {}) as Values, key));
  }

  /** All languages that some override names. */
  get languages(): string[] {
    return [...new Set(this.#overrides.flatMap(({ languages }) => languages))];
  }
}

/** An ordinary copy of a value of JSON, which compares as one. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
