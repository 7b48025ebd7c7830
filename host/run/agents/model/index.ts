export { agentKinds, readSystemPrompt } from './agent-kinds.ts';
export {
  agentNames,
  agentSettings,
  type AgentSettings,
  asksModel,
  crossAgents,
  defaultAnswerTimeout,
  isCommandAgent,
  keepAgentSettings,
  nameAgent,
  playsSolution,
  readAgentCommand,
} from './agent-settings.ts';
export { type AgentTools, readToolSet } from './agent-tools.ts';
export { defaultWindow } from './conversation-window.ts';
export { ModelAgent } from './model-agent.ts';
export { finishTool } from './model-calls.ts';
export { readTaskPictures } from './shown-observation.ts';
