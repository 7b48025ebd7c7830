export { packFolder, packWhole } from './pack.ts';
export {
  planFolder,
  requireFolder,
  type FolderPlan,
  type LeftOut,
  type PlanOptions,
  type WhyLeftOut,
} from './plan.ts';
export { Rules } from './rules.ts';
