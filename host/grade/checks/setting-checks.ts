import { isDeepStrictEqual } from 'node:util';
import { failed, passed, show, type Check } from './check.ts';
import { isExcluded } from './globs.ts';
import type { Settings } from './settings.ts';

/** Languages that a setting for one language alone must leave as they are, beside those that settings name. */
const otherLanguages = [
  'c',
  'cpp',
  'css',
  'go',
  'html',
  'java',
  'javascript',
  'json',
  'markdown',
  'rust',
  'typescript',
];

/** A setting's effective value is this one; `"500"` is not 500. */
export function settingIs(settings: Settings, key: string, expected: unknown, language?: string): Check {
  const name = language === undefined ? key : `${key} in ${language}`;
  return unlessBroken(settings, name, () => {
    const value = settings.effective(key, language);
    if (isDeepStrictEqual(value, expected)) return passed(name, `is ${show(value)}`);
    return failed(name, `expected ${show(expected)}, is ${show(value)}`);
  });
}

/** A setting's effective value is one of these. */
export function settingIsOneOf(settings: Settings, key: string, expected: readonly unknown[]): Check {
  return unlessBroken(settings, key, () => {
    const value = settings.effective(key);
    if (expected.some((one) => isDeepStrictEqual(value, one))) return passed(key, `is ${show(value)}`);
    return failed(key, `expected one of ${expected.map(show).join(', ')}, is ${show(value)}`);
  });
}

/** A setting has this value in some languages, and in no other that is common or that an override names. */
export function settingOnlyFor(
  settings: Settings,
  key: string,
  value: unknown,
  languages: readonly string[],
): Check[] {
  const name = `${key} in other languages`;
  const others = [...new Set([...otherLanguages, ...settings.languages])].filter(
    (other) => !languages.includes(other),
  );
  const rest = unlessBroken(settings, name, () => {
    const wrong = others.filter((language) => isDeepStrictEqual(settings.effective(key, language), value));
    if (isDeepStrictEqual(settings.effective(key), value))
      return failed(name, `is ${show(value)} for all languages`);
    if (wrong.length > 0) return failed(name, `is ${show(value)} in ${wrong.join(', ')} too`);
    return passed(name, `is ${show(value)} in none of ${others.join(', ')}`);
  });
  return [...languages.map((language) => settingIs(settings, key, value, language)), rest];
}

/** VS Code shows this colour theme: chosen, and not overruled by the system's light or dark mode. */
export function colorTheme(settings: Settings, theme: string): Check {
  const name = 'color theme';
  return unlessBroken(settings, name, () => {
    if (settings.effective('window.autoDetectColorScheme') !== true) {
      const chosen = settings.effective('workbench.colorTheme');
      return chosen === theme
        ? passed(name, `is ${show(chosen)}`)
        : failed(name, `expected ${show(theme)}, is ${show(chosen)}`);
    }
    const preferred = ['workbench.preferredLightColorTheme', 'workbench.preferredDarkColorTheme'];
    const wrong = preferred.find((key) => settings.effective(key) !== theme);
    if (wrong === undefined)
      return passed(name, `follows the system, which has ${show(theme)} for light and dark`);
    return failed(
      name,
      `window.autoDetectColorScheme is on and ${wrong} is ${show(settings.effective(wrong))}`,
    );
  });
}

/** `files.exclude` hides each of these workspace paths, and none of those. */
export function excluded(settings: Settings, hidden: readonly string[], shown: readonly string[]): Check {
  const name = 'files.exclude';
  return unlessBroken(settings, name, () => {
    const patterns = settings.effective('files.exclude');
    const visible = hidden.filter((path) => !isExcluded(patterns, path));
    if (visible.length > 0) return failed(name, `${visible.join(', ')} not hidden by ${show(patterns)}`);
    const lost = shown.filter((path) => isExcluded(patterns, path));
    if (lost.length > 0) return failed(name, `${lost.join(', ')} hidden as well by ${show(patterns)}`);
    return passed(name, `${show(patterns)} hides ${hidden.join(', ')}`);
  });
}

/** No setting passes while a settings file is broken: VS Code would ask its user to repair it. */
function unlessBroken(settings: Settings, name: string, check: () => Check): Check {
  return settings.problems.length > 0 ? failed(name, settings.problems.join('; ')) : check();
}
