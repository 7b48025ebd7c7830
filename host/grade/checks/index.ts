export { AgentFiles, type Found, type Read } from './agent-files.ts';
export { answerNames, answerNamesAndCounts, answerNumber, functionName } from './answer.ts';
export { failed, notMeasured, passed, type Check } from './check.ts';
export { backgroundImage } from './background.ts';
export { bytesEqual, stillThere, swapWords } from './bytes.ts';
export { extensionInstalled } from './extension-state.ts';
export { readCatalogue, type Catalogue, type ServedExtension } from './gallery-catalogue.ts';
export {
  diagramMatches,
  matchDiagrams,
  readDrawio,
  type Arrow,
  type Diagram,
  type DrawioRead,
  type Shape,
} from './diagram/index.ts';
export {
  conditionalBreakpoint,
  readIdeFacts,
  type Breakpoint,
  type IdeFacts,
  type WantedBreakpoint,
} from './breakpoints.ts';
export { evaluate } from './expression.ts';
export { isExcluded, matchesGlob } from './globs.ts';
export {
  Keybindings,
  holds,
  ideKeybindings,
  keyDoesNotRun,
  keyRuns,
  parseWhen,
  type Context,
} from './keybindings/index.ts';
export { readJsonValue, readJsonc, type JsonValue, type Jsonc } from './jsonc.ts';
export { flaskLaunch, type FlaskApp } from './launch.ts';
export { pythonInterpreter, pythonSeverities, type Severities } from './python.ts';
export { answersRight, runCode, type CodeResult, type CodeToRun, type Questions } from './run-code.ts';
export { samePython } from './same-python.ts';
export { report } from './report.ts';
export { colorTheme, excluded, settingIs, settingIsOneOf, settingOnlyFor } from './setting-checks.ts';
export { Settings, ideDefaults } from './settings.ts';
