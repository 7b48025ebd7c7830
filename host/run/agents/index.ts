export type { Agent, ChatMessage, DecideOptions, Decision, EpisodeLimits, Turn } from './agent.ts';
export {
  type AgentChoice,
  agentNames,
  type AgentSettings,
  asksModel,
  chooseAgent,
  chooseStepLimit,
  highestStepLimit,
  isCommandAgent,
  openAgent,
  type OpenAgentOptions,
  playsSolution,
} from './choose-agent.ts';
export {
  agentKinds,
  finishTool,
  type ObservationPart,
  observationParts,
  readSystemPrompt,
  readToolSet,
  toolSetNames,
} from './model/index.ts';
export { nullAgent, scriptAgent, writeMarkName } from './scripted-agent.ts';
