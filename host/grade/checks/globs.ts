import { isObject } from './jsonc.ts';

/** A pattern beyond these bounds matches nothing, so that no pattern takes forever. */
const maxPattern = 1000;
const maxAlternatives = 1000;

/**
 * Whether VS Code's explorer hides a workspace path under the patterns of `files.exclude`: one that is `true` matches
 * the path or a folder above it. A conditional pattern (`{"when": …}`) hides only beside a sibling and doesn't count.
 */
export function isExcluded(patterns: unknown, path: string): boolean {
  if (!isObject(patterns)) return false;
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
  if (pattern.length > maxPattern) return false;
  const segments = path.split('/');
  return alternatives(pattern).some((one) =>
    matchSegments(one.replaceAll(/\*\*(\/\*\*)+/g, '**').split('/'), segments),
  );
}

/** A pattern without braces for each choice of alternatives; none where they are too many. */
function alternatives(pattern: string): string[] {
  let patterns = [pattern];
  for (;;) {
    const opened = patterns.flatMap((one) => openGroup(one) ?? []);
    if (opened.length === 0) return patterns;
    if (opened.length > maxAlternatives) return [];
    patterns = opened;
  }
}

/** The patterns of one group of alternatives; undefined if there is no group. */
function openGroup(pattern: string): string[] | undefined {
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
  return segment !== undefined && segmentExpression(first).test(segment) && matchSegments(rest, below);
}

function segmentExpression(glob: string): RegExp {
  const source = glob.replaceAll(/\[!?[^\]]+\]|\*+|\?|[^[*?]+|\[/g, (part) => {
    if (part.startsWith('*')) return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 2 && part.startsWith('[')) return setExpression(part);
    return part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  try {
    return new RegExp(`^${source}$`);
  } catch {
    // A set such as [z-a]: matches nothing.
    return /(?!)/;
  }
}

function setExpression(set: string): string {
  const negated = set.startsWith('[!');
  const inner = set.slice(negated ? 2 : 1, -1).replaceAll(/[\\^[\]]/g, '\\$&');
  return `[${negated ? '^' : ''}${inner}]`;
}
