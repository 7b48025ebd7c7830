export { clip, clipEnd, shorten, startOfEnd } from './clip.ts';
export { parseJson, toJson, wellFormed } from './json.ts';
export { TerminalText, shownText, type SettledText } from './terminal-text.ts';
export { plainLine, withoutUnsafe } from './unsafe.ts';
