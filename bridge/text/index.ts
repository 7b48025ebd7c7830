export {
  clip,
  clipEnd,
  findClipStart,
  isJsonObject,
  parseJson,
  plainLine,
  shorten,
  toJson,
  wellFormed,
  withoutUnsafe,
} from './safe-text.ts';
export { renderTerminalText, TerminalText } from './terminal-text.ts';
