import { clip } from '../../../bridge/lib/index.ts';

/** The part of a long text around a place, at most `max` UTF-16 code units; marks show where it was cut. */
export function clipAround(text: string, at: number, max: number): string {
  if (text.length <= max) return text;
  const wanted = Math.max(0, Math.min(at - Math.floor(max / 4), text.length - max + 1));
  const start = wanted + (/^[\udc00-\udfff]/.test(text.slice(wanted, wanted + 1)) ? 1 : 0);
  const head = start === 0 ? '' : '…';
  const rest = text.slice(start);
  return rest.length + head.length <= max ? head + rest : `${head}${clip(rest, max - head.length - 1)}…`;
}

/** For names and messages: the bound of `text` in the protocol. */
export function clipText(text: string): string {
  return clip(text, 10_000);
}
