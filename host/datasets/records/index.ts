export { readBytes, readText } from './bytes.ts';
export { readJson } from './json.ts';
export { assertUnique, checkedRecord, readRecords, safeName } from './read.ts';
