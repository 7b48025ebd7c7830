/**
 * The places that name the same thing as a name in a CommonJS module: TypeScript's server treats the two sides of
 * `exports.a = b`, `module.exports = { a: b }` and `const { a: b } = require('…')` as different symbols.
 * @param start offset of the name at which a reference was found
 * @param end offset after it
 * @returns offsets of names to ask about as well, including the place itself if it is the exported or required name
 */
export function otherSides(text: string, start: number, end: number): number[] {
  const before = text.slice(Math.max(0, start - searchedLength), start);
  const after = text.slice(end, end + searchedLength);
  const assigned = /(?<![\w$.])(?:module\.)?exports\.([\w$]+)\s*=\s*$/.exec(before);
  if (assigned) return [nameAt(start, assigned[0], assigned[1] ?? '')];
  const own = /(?<![\w$.])(?:module\.)?exports\.$/.test(before) ? /^\s*=\s*([\w$]+)/.exec(after) : null;
  if (own) return [start, end + own[0].length - (own[1] ?? '').length];
  return isInExports(before) || isRequired(before, after) ? inBraces(start, end, before, after) : [];
}

/** UTF-16 code units around a name that are searched. */
const searchedLength = 20_000;

/** In `{ a }`, one name is both sides; in `{ a: b }`, each name is one side. */
function inBraces(start: number, end: number, before: string, after: string): number[] {
  const key = /([\w$]+)\s*:\s*$/.exec(before);
  if (key) return [nameAt(start, key[0], key[1] ?? '')];
  const value = /^\s*:\s*([\w$]+)(?=\s*[,}])/.exec(after);
  return value ? [start, end + value[0].length - (value[1] ?? '').length] : [start];
}

/** The offset of a name in a match that ends at a place. */
function nameAt(start: number, matched: string, name: string): number {
  return start - matched.length + matched.lastIndexOf(name, matched.search(/\s*[:=]\s*$/) - 1);
}

/** Directly in the braces of `module.exports = { … }`. */
function isInExports(before: string): boolean {
  const found = [...before.matchAll(/(?<![\w$.])(?:module\.)?exports\s*=\s*\{/g)].at(-1);
  return found !== undefined && measureDepth(before.slice(found.index + found[0].length)) === 0;
}

/** In the braces of `const { … } = require(…)`. */
function isRequired(before: string, after: string): boolean {
  const open = before.lastIndexOf('{');
  if (open < 0 || !/\b(?:const|let|var)\s*$/.test(before.slice(0, open))) return false;
  return !before.slice(open).includes('}') && /^[^{}]*\}\s*=\s*require\s*\(/.test(after);
}

/** The number of open braces and brackets at the end of a text; negative if it has left the first one. */
function measureDepth(text: string): number {
  let depth = 0;
  for (const [sign] of text.matchAll(/[{}[\]()]/g)) {
    depth += '{[('.includes(sign) ? 1 : -1;
    if (depth < 0) return depth;
  }
  return depth;
}

/** A string of Python with its prefix, or a comment. */
const textual =
  /(?<![\p{L}\p{N}_])([a-zA-Z]{0,2})("""|''')(?:\\[^]|(?!\2)[^])*(?:\2|$)|(?<![\p{L}\p{N}_])([a-zA-Z]{0,2})(?:"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)|#[^\n]*/gu;

/** The text of a Python file with spaces in place of comments and strings; those that have code in braces stay. */
export function pythonCode(text: string): string {
  return text.replaceAll(textual, (found: string, long?: string, _quotes?: string, short?: string) =>
    /[ft]/i.test(long ?? short ?? '') ? found : found.replaceAll(/[^\n]/g, ' '),
  );
}
