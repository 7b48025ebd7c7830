export {
  buildCheckpointPaths,
  buildStorePaths,
  isCheckpointId,
  newCheckpointId,
} from './checkpoint-files.ts';
export { CheckpointStore, type HeldCheckpoint } from './checkpoint-store.ts';
export { makeSockets, type SocketEntry, tarCreateArguments, tarExtractArguments } from './tar-archive.ts';
