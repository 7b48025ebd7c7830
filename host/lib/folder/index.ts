export { packFolder, packWhole } from './pack.ts';
export { planFolder, type FolderPlan, type LeftOut, type PlanOptions, type WhyLeftOut } from './plan.ts';
