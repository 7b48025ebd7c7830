export { readBytes, readText } from './bytes.ts';
export { linesOf, readJson, type RawRecord } from './json.ts';
export { pngEntry } from './png.ts';
export {
  checkedRecord,
  checkedRecords,
  readRecords,
  repeatedIds,
  safeName,
  type Numbered,
  type Records,
} from './read.ts';
