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
