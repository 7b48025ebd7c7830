export { compareProblems } from './compare.ts';
export { currentProblems } from './current.ts';
export { plainProblem, worstFirst } from './problem.ts';
export { problemsBefore, watchProblems, type Checked, type ProblemWatch } from './watch.ts';
export { ReportedProblems } from './reported.ts';
export { whyUnchecked } from './served.ts';
