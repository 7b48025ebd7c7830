export {
  type EvalCommands,
  evalCommands,
  type EvalRecord,
  explainUngradable,
  requireEvalRecord,
} from './eval-commands.ts';
export { type ImageVerdict, judgeInImage } from './judge-in-image.ts';
export { type OwnersScore, scoreOwnersVerdict } from './owners-score.ts';
export { type SweRecord, sweRecordSchema } from './swe-bench-sets.ts';
export { openSweRecords, sweBench } from './swe-bench.ts';
