import { withoutUnsafe } from '../../bridge/lib/index.ts';

/** Text for a terminal that may come from inside a sandbox: what could steer the terminal is shown as `\x1b`. */
export function printable(text: string): string {
  return withoutUnsafe(text, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** The same JSON, with what could steer a terminal written as JSON writes characters by their numbers. */
export function escapedJson(json: string): string {
  return withoutUnsafe(json, (sign) => {
    const units = Array.from({ length: sign.length }, (_, i) => sign.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
