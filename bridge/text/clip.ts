/**
 * The beginning of a text: at most `most` UTF-16 code units of it, never half a character. A half that came from elsewhere
 * becomes �: strict readers, as most servers of models are, refuse all that it is in.
 */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const end = Math.max(0, Math.floor(most));
  return text.slice(0, splits(text, end) ? end - 1 : end).toWellFormed();
}

/** The end of a text, as {@link clip}. */
export function clipEnd(text: string, most: number): string {
  return text.slice(startOfEnd(text, most)).toWellFormed();
}

/** Where {@link clipEnd} cuts: for a text to which more will be added, so that its last sign may still be half of one. */
export function startOfEnd(text: string, most: number): number {
  const start = Math.max(0, text.length - Math.max(0, Math.floor(most)));
  return splits(text, start) ? start + 1 : start;
}

/** A text of at most `most` UTF-16 code units that ends in `…` where more of it was there. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${clip(text, most - 1)}…`;
}

/** Whether a cut at a place would be inside a character. */
function splits(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
