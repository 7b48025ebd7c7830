/**
 * The registry of tools. A tool is a descriptor in its family's file here, and a handler on the side that `where`
 * names: `extension/src/tools/<family>/` or `bridge/src/tools/`. Agents, MCP, the command line and `docs/tools.md`
 * all read this registry.
 */
export { definitionOf } from './definition.ts';
export {
  tool,
  toolFamilies,
  type Tool,
  type ToolArguments,
  type ToolEffect,
  type ToolFamily,
  type ToolInput,
  type ToolOutput,
  type ToolSource,
} from './descriptor.ts';
export { toolDefinition, toolImage, toolMethods, type ToolDefinition, type ToolImage } from './call.ts';
export {
  toolError,
  toolErrorData,
  toolErrorReason,
  toolErrorReasons,
  type ToolErrorReason,
} from './errors.ts';
export { explainArguments, nearest } from './bad-arguments.ts';
export { readArguments, readFromText } from './read-arguments.ts';
export { coreTools } from './core.ts';
export { dataTools } from './data.ts';
export {
  editProblems,
  problem,
  problemLine,
  waitForProblems,
  written,
  writtenEffect,
  writtenText,
  type EditProblems,
  type Problem,
  type Written,
} from './edits.ts';
export { debugTools } from './debug.ts';
export { fileTools } from './files.ts';
export { historyTools } from './history.ts';
export { ideTools } from './ide.ts';
export { guardedCommands } from './ide-commands.ts';
export { choicesWith, firstSentence, languageModelToolName, languageModelTools } from './language-model.ts';
export { profileTools } from './profile.ts';
export { refactorTools } from './refactor.ts';
export { runTools } from './run.ts';
export { searchTools } from './search.ts';
export { viewTools } from './view.ts';
export { findTool, tools } from './registry.ts';
export { effectOf, textOf } from './text.ts';
