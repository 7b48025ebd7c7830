import { clip } from '../../../bridge/lib/index.ts';

/** For names and messages: the bound of `text` in the protocol. */
export function clipText(text: string): string {
  return clip(text, 10_000);
}
