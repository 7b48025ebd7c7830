/**
 * Signs that steer what shows a text, or that nobody sees: control characters, what turns the direction of text or joins it
 * in silence, separators of lines that few programs know, tags, and halves of characters. Joiners that emoji and scripts
 * need (U+200C, U+200D) are not among them.
 */
const beyondLines =
  '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uD800-\\uDFFF\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}';
const inText = new RegExp(`[${beyondLines}]`, 'gu');
const inLine = new RegExp(`[\\t\\n${beyondLines}]`, 'gu');

/** A text with `�`, or what `shown` makes of it, in place of each unsafe sign. Tabs and ends of lines stay. */
export function withoutUnsafe(text: string, shown: (sign: string) => string = () => '\u{FFFD}'): string {
  return text.replaceAll(inText, shown);
}

/** A name as one line of visible signs: it shall look like what it is. */
export function plainLine(text: string): string {
  return text.replaceAll(inLine, '\u{FFFD}');
}
