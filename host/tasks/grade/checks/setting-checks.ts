import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../../bridge/text/index.ts';
import { type Check, failed, passed, showValue } from './check-result.ts';
import type { Settings } from './effective-settings.ts';

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
    if (isDeepStrictEqual(value, expected)) return passed(name, `is ${showValue(value)}`);
    return failed(name, `expected ${showValue(expected)}, is ${showValue(value)}`);
  });
}

/** A setting's effective value is one of these. */
export function settingIsOneOf(settings: Settings, key: string, expected: readonly unknown[]): Check {
  return unlessBroken(settings, key, () => {
    const value = settings.effective(key);
    if (expected.some((one) => isDeepStrictEqual(value, one))) return passed(key, `is ${showValue(value)}`);
    return failed(key, `expected one of ${expected.map(showValue).join(', ')}, is ${showValue(value)}`);
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
      return failed(name, `is ${showValue(value)} for all languages`);
    if (wrong.length > 0) return failed(name, `is ${showValue(value)} in ${wrong.join(', ')} too`);
    return passed(name, `is ${showValue(value)} in none of ${others.join(', ')}`);
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
        ? passed(name, `is ${showValue(chosen)}`)
        : failed(name, `expected ${showValue(theme)}, is ${showValue(chosen)}`);
    }
    const preferred = ['workbench.preferredLightColorTheme', 'workbench.preferredDarkColorTheme'];
    const wrong = preferred.find((key) => settings.effective(key) !== theme);
    if (wrong === undefined)
      return passed(name, `follows the system, which has ${showValue(theme)} for light and dark`);
    return failed(
      name,
      `window.autoDetectColorScheme is on and ${wrong} is ${showValue(settings.effective(wrong))}`,
    );
  });
}

/** `files.exclude` hides each of these workspace paths, and none of those. */
export function excluded(settings: Settings, hidden: readonly string[], shown: readonly string[]): Check {
  const name = 'files.exclude';
  return unlessBroken(settings, name, () => {
    const patterns = settings.effective('files.exclude');
    const visible = hidden.filter((path) => !isExcluded(patterns, path));
    if (visible.length > 0) return failed(name, `${visible.join(', ')} not hidden by ${showValue(patterns)}`);
    const lost = shown.filter((path) => isExcluded(patterns, path));
    if (lost.length > 0) return failed(name, `${lost.join(', ')} hidden as well by ${showValue(patterns)}`);
    return passed(name, `${showValue(patterns)} hides ${hidden.join(', ')}`);
  });
}

/** No setting passes while a settings file is broken: VS Code would ask its user to repair it. */
function unlessBroken(settings: Settings, name: string, check: () => Check): Check {
  return settings.problems.length > 0 ? failed(name, settings.problems.join('; ')) : check();
}

/** A pattern beyond these bounds matches nothing, so that no pattern takes forever. */
const mostPatternLength = 1000;
const mostAlternatives = 1000;

/**
 * Whether VS Code's explorer hides a workspace path under the patterns of `files.exclude`: one that is `true` matches
 * the path or a folder above it. A conditional pattern (`{"when": …}`) hides only beside a sibling and doesn't count.
 */
export function isExcluded(patterns: unknown, path: string): boolean {
  if (!isJsonObject(patterns)) return false;
  const active = Object.entries(patterns).filter(([, value]) => value === true);
  const parts = path.split('/');
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return active.some(([pattern]) => folders.some((folder) => matchesGlob(pattern, folder)));
}

/**
 * VS Code's globs: `*` and `?` stay within a path segment, `**` spans segments, `{a,b}` are alternatives and may be
 * nested, `[a-z]` and `[!a]` are sets. A pattern is matched against the whole path.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > mostPatternLength) return false;
  const segments = path.split('/');
  return expandAlternatives(pattern).some((one) =>
    matchSegments(one.replaceAll(/\*\*(\/\*\*)+/g, '**').split('/'), segments),
  );
}

/** A pattern without braces for each choice of alternatives; none where they are too many. */
function expandAlternatives(pattern: string): string[] {
  let patterns = [pattern];
  for (;;) {
    const opened = patterns.flatMap((one) => expandGroup(one) ?? []);
    if (opened.length === 0) return patterns;
    if (opened.length > mostAlternatives) return [];
    patterns = opened;
  }
}

/** The patterns of one group of alternatives; undefined if there is no group. */
function expandGroup(pattern: string): string[] | undefined {
  const group = /\{([^{}]*)\}/.exec(pattern);
  if (!group) return undefined;
  const [all, choices = ''] = group;
  const [before, after] = [pattern.slice(0, group.index), pattern.slice(group.index + all.length)];
  return choices.split(',').map((choice) => before + choice + after);
}

function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') {
    return matchSegments(rest, path) || (path.length > 0 && matchSegments(pattern, path.slice(1)));
  }
  const [segment, ...below] = path;
  return segment !== undefined && compileSegment(first).test(segment) && matchSegments(rest, below);
}

function compileSegment(glob: string): RegExp {
  const source = glob.replaceAll(/\[!?[^\]]+\]|\*+|\?|[^[*?]+|\[/g, (part) => {
    if (part.startsWith('*')) return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 2 && part.startsWith('[')) return compileSet(part);
    return part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  try {
    return new RegExp(`^${source}$`);
  } catch {
    // A set such as [z-a]: matches nothing.
    return /(?!)/;
  }
}

function compileSet(set: string): string {
  const negated = set.startsWith('[!');
  const inner = set.slice(negated ? 2 : 1, -1).replaceAll(/[\\^[\]]/g, '\\$&');
  return `[${negated ? '^' : ''}${inner}]`;
}

/** Lists of images that the extension `shalldie.background` shows behind code. */
const imageSections = ['background.editor', 'background.fullscreen'];

/** The extension `shalldie.background` is set to show one image, and no other. It reads paths and `file:` URIs. */
export function backgroundImage(settings: Settings, path: string): Check {
  const name = 'background image';
  const [problem] = settings.problems;
  if (problem !== undefined) return failed(name, problem);
  if (settings.effective('background.enabled') === false) return failed(name, 'background.enabled is false');
  const images = imageSections.flatMap((key) => listImages(settings.effective(key)));
  if (images.length === 0) return failed(name, `no images in ${imageSections.join(' or ')}`);
  const other = images.find((image) => readImagePath(image) !== path);
  if (other !== undefined)
    return failed(name, `expected ${showValue(path)} alone, found ${showValue(other)}`);
  return passed(name, `is ${showValue(images)}`);
}

function listImages(section: unknown): unknown[] {
  const images = isJsonObject(section) ? section['images'] : undefined;
  return Array.isArray(images) ? images : [];
}

function readImagePath(image: unknown): string | undefined {
  if (typeof image !== 'string') return undefined;
  if (image.startsWith('/')) return posix.normalize(image);
  try {
    return fileURLToPath(image);
  } catch {
    return undefined;
  }
}
