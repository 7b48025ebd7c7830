export { readBytes, readText } from './bytes.ts';
export { readJson } from './json.ts';
export { pngEntry } from './png.ts';
export { assertUnique, checkedRecord, readRecords, safeName } from './read.ts';
