export { ensureOwnersPackage, type OwnersPackage } from './owners-package.ts';
export {
  type JudgedRecord,
  type JudgedTest,
  type JudgeOptions,
  judgeSweBenchLog,
  type OwnersVerdict,
  sweBenchPackage,
} from './swe-bench-judge.ts';
