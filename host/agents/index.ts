export { AgentChat, type ChatLine, type ChatState, type ChatView } from './chat.ts';
export type { Agent, ChatMessage, DecideOptions, Decision, EpisodeLimits, Turn } from './agent.ts';
export { nullAgent, scriptAgent } from './script.ts';
export { agentNames, asksModel, chooseAgent, isCommand, playsSolution, type AgentChoice } from './choose.ts';
export { mostSteps, stepLimitOf, usualSteps } from './step-limit.ts';
export { openAgent, type AgentSettings, type OpenAgentOptions } from './open.ts';
export {
  agentKinds,
  finishTool,
  observationParts,
  promptOf,
  readToolSet,
  toolSetNames,
  type AgentKind,
  type AgentTools,
  type ObservationPart,
} from './model/index.ts';
export {
  PersonSteps,
  recordDemonstration,
  type Demonstration,
  type DemonstratedSolution,
  type DemonstrationOptions,
} from './demonstrate/index.ts';
export {
  runEpisode,
  type EpisodeEvent,
  type EpisodeOptions,
  type EpisodeResult,
  type WriteReport,
} from './episode.ts';
export {
  checkSolution,
  checkTasks,
  nameOf,
  validityOf,
  type CheckOptions,
  type Finding,
  type ProofRun,
  type ProofStage,
  type Validity,
} from './check/index.ts';
export type { Branch } from './meta.ts';
export { suppressedAction, type Suppress } from './suppress.ts';
