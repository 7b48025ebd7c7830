export { dataTools } from './data-tools.ts';
export { debugTools } from './debug-tools.ts';
export type { EditProblems, ToolProblem, WriteResult } from './edit-tools.ts';
export { fileTools } from './file-tools.ts';
export { historyTools } from './history-tools.ts';
export { guardedCommands, ideTools } from './ide-tools.ts';
export { profileTools } from './profile-tools.ts';
export { refactorTools } from './refactor-tools.ts';
export {
  coreTools,
  describeLanguageModelTools,
  findTool,
  listChatToolChoices,
  nameLanguageModelTool,
  readFirstSentence,
  tools,
} from './registry.ts';
export { runTools } from './run-tools.ts';
export { searchTools } from './search-tools.ts';
export {
  explainArguments,
  findNearestName,
  listArgumentsReadFromText,
  readToolArguments,
} from './tool-arguments.ts';
export {
  describeTool,
  judgeToolResult,
  renderToolResult,
  type ToolDefinition,
  type ToolImage,
  toolMethods,
} from './tool-call.ts';
export { toolError, toolErrorReason, toolErrorReasons } from './tool-errors.ts';
export {
  type Tool,
  type ToolEffect,
  toolFamilies,
  type ToolFamily,
  type ToolInput,
  type ToolOutput,
} from './tool.ts';
export { viewTools } from './view-tools.ts';
