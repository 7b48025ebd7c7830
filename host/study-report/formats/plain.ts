/**
 * A text from a study as one line of visible signs. Control characters become �, and so do those that turn the
 * direction of what follows: a name shall look like what it is.
 */
export function plain(text: string): string {
  return text.replaceAll(UNSEEN, '\u{FFFD}');
}

const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;
