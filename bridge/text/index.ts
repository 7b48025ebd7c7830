export { clip, clipEnd, shorten, startOfEnd } from './clip.ts';
export { parseJson, toJson, wellFormed } from './json.ts';
export { plainLine, withoutUnsafe } from './unsafe.ts';
