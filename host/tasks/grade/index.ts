export { enterImage, isImageTask } from './grade-in-image.ts';
export { grade, type Grade, type GradeOptions } from './grade.ts';
export { packChecks } from './grading-seeds.ts';
export type { LeftChanges } from './left-changes.ts';
export { gradeOwnAnswers } from './own-answers.ts';
export type { OwnAnswers, OwnGrade } from './own-grade.ts';
export type { CheckResult } from './verdict.ts';
export {
  makeTasks,
  type UnmadeTask,
  withVariant,
  type WithVariantOptions,
  withVariants,
} from './with-variant.ts';
