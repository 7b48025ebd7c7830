export { enterImage, isImageTask } from './grade-in-image.ts';
export { grade, type Grade, type GradeOptions } from './grade.ts';
export { packChecks } from './grading-seeds.ts';
export { gradeOwnAnswers, type OwnAnswers, type OwnGrade } from './own-answers.ts';
export type { LeftChanges } from './left-changes.ts';
export type { CheckResult } from './verdict.ts';
export {
  makeTasks,
  type UnmadeTask,
  withVariant,
  type WithVariantOptions,
  withVariants,
} from './with-variant.ts';
