export {
  PersonSteps,
  recordDemonstration,
  type Demonstration,
  type DemonstrationOptions,
} from './demonstrate.ts';
export { solutionOf, type DemonstratedSolution, type ShownStep } from './solution.ts';
