export { grade, type Grade, type GradeOptions } from './grade.ts';
export { gradeOwnAnswers, type GradeOwnOptions, type OwnAnswers, type OwnGrade } from './own-answers.ts';
export type { LeftChanges } from './left.ts';
export { checksSeed } from './checks-seed.ts';
export type { CheckResult } from './verdict.ts';
export { withVariant, withVariants, type WithVariantOptions } from './with-variant.ts';
