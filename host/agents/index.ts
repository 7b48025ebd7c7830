export type { Agent, Decision, Turn } from './agent.ts';
export { nullAgent, scriptAgent } from './script.ts';
export { agentNames, chooseAgent, type AgentName } from './choose.ts';
export { runEpisode, type EpisodeEvent, type EpisodeOptions, type EpisodeResult } from './episode.ts';
export {
  checkTasks,
  nameOf,
  validityOf,
  type CheckOptions,
  type Finding,
  type Validity,
} from './check/index.ts';
export { forEachParallel } from './parallel.ts';
