export type { Agent, ChatMessage, DecideOptions, Decision, EpisodeLimits, Turn } from './agent.ts';
export {
  chooseAgent,
  type ChooseAgentOptions,
  openAgent,
  type OpenAgentOptions,
  type OpenedAgent,
} from './choose-agent.ts';
export {
  agentKinds,
  agentNames,
  agentSettings,
  type AgentSettings,
  asksModel,
  crossAgents,
  defaultWindow,
  finishTool,
  keepAgentSettings,
  nameAgent,
  readSystemPrompt,
  readToolSet,
} from './model/index.ts';
export { toActions, writeObservation, writeOutcomes, writtenActions } from './exec-program.ts';
export { nullAgent, scriptAgent, writeMarkName } from './scripted-agent.ts';
