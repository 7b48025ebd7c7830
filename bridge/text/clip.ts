/**
 * The beginning of a text: at most `most` UTF-16 code units, never half a character. Half a character of the original
 * text becomes �: strict readers, such as most model servers, refuse any text that contains one.
 */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const end = Math.max(0, Math.floor(most));
  return text.slice(0, splits(text, end) ? end - 1 : end).toWellFormed();
}

/** The end of a text; otherwise as {@link clip}. */
export function clipEnd(text: string, most: number): string {
  return text.slice(startOfEnd(text, most)).toWellFormed();
}

/** Where {@link clipEnd} cuts: for a text that will grow, so that its last character may still be incomplete. */
export function startOfEnd(text: string, most: number): number {
  const start = Math.max(0, text.length - Math.max(0, Math.floor(most)));
  return splits(text, start) ? start + 1 : start;
}

/** A text of at most `most` UTF-16 code units, which ends in `…` if it was cut. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${clip(text, most - 1)}…`;
}

/** Whether a cut at a place would be inside a character. */
function splits(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
