export { writeBuildContext } from './build-context.ts';
export {
  confineDataset,
  findData,
  findDataRoot,
  readData,
  readDataBytes,
  readDataText,
  readPngEntry,
  resolveDataPath,
} from './data-files.ts';
export { badData, type Dataset, type DatasetAbout, noData, type OpenDataset } from './dataset.ts';
export {
  makeDecodePipe,
  makeRecordConfig,
  makeTaskId,
  makeWriteScript,
  packPythonTests,
} from './record-task.ts';
export {
  checkRawRecord,
  checkRawRecords,
  findRepeatedIds,
  openRecords,
  parseJsonLines,
  readDataJson,
  readRecords,
  type ReadRecords,
  toSafeName,
} from './records.ts';
