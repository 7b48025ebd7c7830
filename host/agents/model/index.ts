export { finishTool } from './computer.ts';
export { agentKinds, type AgentKind } from './kinds.ts';
export { ModelAgent, type ModelAgentOptions } from './model-agent.ts';
export { observationParts, type ObservationPart } from './parts.ts';
export { promptOf } from './prompt.ts';
export { picturesOf } from './task-pictures.ts';
export { readToolSet, toolSetNames, type AgentTools } from './tool-set.ts';
export { defaultWindow, type WindowLimits } from './window.ts';
