export {
  type FolderPlan,
  type FolderPlanOptions,
  type LeftOutPath,
  type LeftOutReason,
  packFolder,
  packFolderInMemory,
  planFolder,
  requireFolder,
} from './folder-plan.ts';
export { IgnoreRules } from './ignore-rules.ts';
