/**
 * The beginning of a text: at most `most` UTF-16 code units, never half a character. Half a character of the original
 * text becomes �: strict readers, such as most model servers, refuse any text that contains one.
 */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const end = Math.max(0, Math.floor(most));
  return text.slice(0, splitsCharacter(text, end) ? end - 1 : end).toWellFormed();
}

/** The end of a text; otherwise as {@link clip}. */
export function clipEnd(text: string, most: number): string {
  return text.slice(findClipStart(text, most)).toWellFormed();
}

/** Where {@link clipEnd} cuts: for a text that will grow, so that its last character may still be incomplete. */
export function findClipStart(text: string, most: number): number {
  const start = Math.max(0, text.length - Math.max(0, Math.floor(most)));
  return splitsCharacter(text, start) ? start + 1 : start;
}

/** A text of at most `most` UTF-16 code units, which ends in `…` if it was cut. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${clip(text, most - 1)}…`;
}

/** A text that begins with a capital letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Quotes any text as one word for a shell. */
export function quoteShellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Whether a cut at a place would be inside a character. */
function splitsCharacter(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/**
 * A value as JSON without half characters in its texts and names. `JSON.stringify` writes them as escapes, which most
 * other programs refuse, or can't keep.
 */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return mayHaveHalf.test(text) ? JSON.stringify(wellFormed(JSON.parse(text)), null, indent) : text;
}

/** The value of a JSON text, without half characters. Errors: those of `JSON.parse`. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayHaveHalf.test(text) ? wellFormed(value) : value;
}

/** The value of a JSON text; undefined for a text that is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value of JSON without half characters: each becomes �. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)]));
}

/** An escape of half a character, or of both halves: JSON has no other way to write half of one. */
const mayHaveHalf = /\\ud[89a-f]/i;

/**
 * Characters that control how a text is displayed, or are invisible: control characters, invisible marks that change the
 * direction of text or join it, line separators that few programs know, tags, and half characters. The joiners that emoji
 * and scripts need (U+200C, U+200D) are not among them.
 */
const beyondLines =
  '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uD800-\\uDFFF\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}';
const inText = new RegExp(`[${beyondLines}]`, 'gu');
const inLine = new RegExp(`[\\t\\n${beyondLines}]`, 'gu');

/** A text with `�`, or the result of `shown`, in place of each unsafe character. Tabs and line ends stay. */
export function withoutUnsafe(text: string, shown: (sign: string) => string = () => '\u{FFFD}'): string {
  return text.replaceAll(inText, shown);
}

/** A name as one line of visible characters, so that it looks like what it is. */
export function plainLine(text: string): string {
  return text.replaceAll(inLine, '\u{FFFD}');
}

/** The fields that have a value. */
export function omitUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Whether a value is an object of JSON: no array, no null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
