export { compareProblems } from './compare.ts';
export { plainProblem, problemsOf } from './problem.ts';
export { problemsBefore, watchProblems, type Checked, type ProblemWatch } from './watch.ts';
export { whyUnchecked } from './served.ts';
