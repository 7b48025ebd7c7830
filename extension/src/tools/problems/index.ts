export { compareProblems } from './compare.ts';
export { currentProblems } from './current.ts';
export { plainProblem, problemsOf, worstFirst } from './problem.ts';
export { problemsBefore, watchProblems, type Checked, type ProblemWatch } from './watch.ts';
export { ToldProblems } from './told.ts';
export { whyUnchecked } from './served.ts';
