import { clip } from '../../text/index.ts';
/** A bounded, single-line text of one that may be megabytes long. */
export function line(text: string | null | undefined, max = 300): string {
  if (!text) return '';
  return clip(
    clip(text, max * 4)
      .replaceAll('\u00a0', ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  );
}

/** As {@link line}, but keeps indentation: a line of code or of a terminal. */
export function codeLine(text: string | null | undefined, max = 300): string {
  if (!text) return '';
  return clip(text, max).replaceAll('\u00a0', ' ').trimEnd();
}
