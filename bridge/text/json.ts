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

/** A value of JSON without half characters: each becomes �. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)]));
}

/** An escape of half a character, or of both halves: JSON has no other way to write half of one. */
const mayHaveHalf = /\\ud[89a-f]/i;
