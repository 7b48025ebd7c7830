import { withoutUnsafe } from '../../bridge/lib/index.ts';

/** Escapes text from inside a sandbox for a terminal: a control character is shown as, for example, `\x1b`. */
export function printable(text: string): string {
  return withoutUnsafe(text, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** The same JSON, with characters that could control a terminal as `\u` escapes. */
export function escapedJson(json: string): string {
  return withoutUnsafe(json, (sign) => {
    const units = Array.from({ length: sign.length }, (_, i) => sign.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
