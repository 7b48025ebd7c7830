export { agentSide } from './agent-side.ts';
export { agent, type AgentOutcome, type AgentStep } from './agent.ts';
export { bounds, checkpoint as checkpointMethods, checkpointInfo, networkPolicy } from './checkpoint.ts';
export {
  event,
  method,
  type Event,
  type Method,
  type ParamsIn,
  type ParamsOut,
  type ResultOf,
} from './descriptor.ts';
export { ErrorCode, RpcError, interruptedData, wasInterrupted } from './errors.ts';
export { PROTOCOL_VERSION, hello } from './handshake.ts';
export {
  actor,
  askedQuestion,
  handOver,
  lease as leaseMethods,
  leaseTtl,
  person,
  personAnswer,
  questions as questionMethods,
} from './lease.ts';
export { limits } from './limits.ts';
export { box, point, type Box, type Point } from './geometry.ts';
export { desktop, type DesktopStatus, type Service, type ServiceName } from './desktop.ts';
export { tunnel } from './tunnel.ts';
export { keptSeconds, sound, soundFormat, type SoundRead } from './sound.ts';
export { shell, type ShellResult } from './shell.ts';
export { refusal, refusalReason, type Refusal, type RefusalReason } from './refusal.ts';
export { nodeLoad, usage, type NodeLoad, type Usage } from './usage.ts';
export {
  dom,
  type Dialog,
  type DomActivity,
  type DomGlance,
  type DomNumbers,
  type DomObservation,
  type DomProbe,
  type Focus,
  type LayoutPart,
  type Message,
  type DragState,
  type Pressed,
  type Mark,
  type MarksQuery,
  type UnreadPart,
} from './dom.ts';
export {
  ide,
  type Diagnostic,
  type Editor,
  type ExtensionInfo,
  type IdeInfo,
  type Repository,
  type Setting,
  type Tab,
} from './ide.ts';
export {
  type Breakpoint,
  type DebugFrame,
  type DebugSession,
  type DebugThread,
  type DebugVariable,
} from './ide-debug.ts';
export { type IdeEvent } from './ide-events.ts';
export { stateParts, type StatePart } from './ide-changes.ts';
export { type OutlineSymbol, type TestRun, type WorkspaceSymbol } from './ide-code.ts';
export { type Task, type Terminal, type TerminalCommand } from './ide-run.ts';
export { workspace } from './workspace.ts';
export { node as nodeMethods, nodeErrorData, sandbox as sandboxMethods } from './node.ts';
export {
  choicesWith,
  coreTools,
  dataTools,
  debugTools,
  definitionOf,
  editProblems,
  effectOf as toolEffectOf,
  explainArguments,
  readArguments,
  readFromText,
  fileTools,
  findTool,
  firstSentence,
  guardedCommands,
  historyTools,
  ideTools,
  languageModelToolName,
  languageModelTools,
  nearest,
  profileTools,
  refactorTools,
  runTools,
  searchTools,
  textOf as toolTextOf,
  tool,
  toolDefinition,
  toolError,
  toolErrorData,
  toolErrorReason,
  toolErrorReasons,
  toolFamilies,
  toolImage,
  toolMethods,
  tools,
  viewTools,
  type EditProblems,
  type Problem,
  type Tool,
  type ToolArguments,
  type ToolDefinition,
  type ToolEffect,
  type ToolErrorReason,
  type ToolFamily,
  type ToolImage,
  type ToolInput,
  type ToolOutput,
  type ToolSource,
  type Written,
} from './tools/index.ts';
