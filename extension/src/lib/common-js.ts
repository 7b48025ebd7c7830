/**
 * Where else a name is told, in a text of CommonJS, that stands at a place: TypeScript's server takes the two sides of
 * `exports.a = b`, `module.exports = { a: b }` and `const { a: b } = require('…')` for different symbols.
 * @param start offset of the name that a reference was found at
 * @param end after it
 * @returns offsets of names to ask about as well; the place itself is one of them where it stands for both
 */
export function otherSides(text: string, start: number, end: number): number[] {
  const before = text.slice(Math.max(0, start - longest), start);
  const after = text.slice(end, end + longest);
  const assigned = /(?<![\w$.])(?:module\.)?exports\.([\w$]+)\s*=\s*$/.exec(before);
  if (assigned) return [nameAt(start, assigned[0], assigned[1] ?? '')];
  const own = /(?<![\w$.])(?:module\.)?exports\.$/.test(before) ? /^\s*=\s*([\w$]+)/.exec(after) : null;
  if (own) return [start, end + own[0].length - (own[1] ?? '').length];
  return isInExports(before) || isRequired(before, after) ? inBraces(start, end, before, after) : [];
}

/** UTF-16 code units around a name that are looked at. */
const longest = 20_000;

/** In `{ a }` one name is both; in `{ a: b }` each is one. */
function inBraces(start: number, end: number, before: string, after: string): number[] {
  const key = /([\w$]+)\s*:\s*$/.exec(before);
  if (key) return [nameAt(start, key[0], key[1] ?? '')];
  const value = /^\s*:\s*([\w$]+)(?=\s*[,}])/.exec(after);
  return value ? [start, end + value[0].length - (value[1] ?? '').length] : [start];
}

/** Where a name is in what was matched just before a place. */
function nameAt(start: number, matched: string, name: string): number {
  return start - matched.length + matched.lastIndexOf(name, matched.search(/\s*[:=]\s*$/) - 1);
}

/** Directly in the braces of `module.exports = { … }`. */
function isInExports(before: string): boolean {
  const found = [...before.matchAll(/(?<![\w$.])(?:module\.)?exports\s*=\s*\{/g)].at(-1);
  return found !== undefined && depthOf(before.slice(found.index + found[0].length)) === 0;
}

/** In the braces of `const { … } = require(…)`. */
function isRequired(before: string, after: string): boolean {
  const open = before.lastIndexOf('{');
  if (open < 0 || !/\b(?:const|let|var)\s*$/.test(before.slice(0, open))) return false;
  return !before.slice(open).includes('}') && /^[^{}]*\}\s*=\s*require\s*\(/.test(after);
}

/** How many braces and brackets are open at the end of a text; negative where it has left the first one. */
function depthOf(text: string): number {
  let depth = 0;
  for (const [sign] of text.matchAll(/[{}[\]()]/g)) {
    depth += '{[('.includes(sign) ? 1 : -1;
    if (depth < 0) return depth;
  }
  return depth;
}
