export {
  defaultMaxSteps,
  type EnvironmentForkOptions,
  type EnvironmentGradeOptions,
  type EnvironmentOpenOptions,
  type EnvironmentOptions,
  type ResumeOptions,
} from './environment-options.ts';
export { Environment } from './environment.ts';
export type { EnvironmentCheckpoints } from './episode-checkpoints.ts';
export { startOnFolder } from './golden-start.ts';
