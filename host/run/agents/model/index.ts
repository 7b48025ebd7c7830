export { agentKinds, type ObservationPart, observationParts, readSystemPrompt } from './agent-kinds.ts';
export { type AgentTools, readToolSet, toolSetNames } from './agent-tools.ts';
export type { WindowLimits } from './conversation-window.ts';
export { ModelAgent } from './model-agent.ts';
export { finishTool } from './model-calls.ts';
export { readTaskPictures } from './shown-observation.ts';
