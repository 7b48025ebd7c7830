export { formatCount, formatDollars, formatDuration, formatInteger } from './amounts.ts';
export {
  capitalize,
  clip,
  clipEnd,
  findClipStart,
  isJsonObject,
  omitUndefined,
  parseJson,
  plainLine,
  quoteShellWord,
  shorten,
  toJson,
  tryParseJson,
  wellFormed,
  withoutUnsafe,
} from './safe-text.ts';
export { renderTerminalText, TerminalText } from './terminal-text.ts';
