export { AgentFiles, type FileKind as Found, type FileRead as Read } from './agent-files.ts';
export { answerNames, answerNamesAndCounts, answerNumber, functionName } from './file-checks.ts';
export { failed, notMeasured, passed, type Check } from './check-result.ts';
export { backgroundImage } from './setting-checks.ts';
export { bytesEqual, stillThere, swapWords } from './file-checks.ts';
export { extensionInstalled } from './ide-facts.ts';
export { readCatalogue, type GalleryCatalogue as Catalogue, type ServedExtension } from './ide-facts.ts';
export { diagramMatches, matchDiagrams } from './diagram-match.ts';
export { readDrawio, type Arrow, type Diagram, type DrawioRead, type Shape } from './drawio.ts';
export {
  conditionalBreakpoint,
  readIdeFacts,
  type ReportedBreakpoint as Breakpoint,
  type IdeFacts,
  type WantedBreakpoint,
} from './ide-facts.ts';
export { evaluate } from './conditions.ts';
export { isExcluded, matchesGlob } from './setting-checks.ts';
export { Keybindings, ideKeybindings, keyDoesNotRun, keyRuns } from './key-bindings.ts';
export { whenHolds as holds, parseWhen, type WindowContext as Context } from './conditions.ts';
export { readJsonValue, readJsonc, type JsonValue, type Jsonc } from './agent-files.ts';
export { flaskLaunch, type FlaskApp } from './python-checks.ts';
export { pythonInterpreter, pythonSeverities, type PythonSeverities as Severities } from './python-checks.ts';
export {
  answersRight,
  runCode,
  type CodeResult,
  type CodeToRun,
  type CodeQuestions as Questions,
} from './run-code.ts';
export { samePython } from './file-checks.ts';
export { report } from './check-result.ts';
export { colorTheme, excluded, settingIs, settingIsOneOf, settingOnlyFor } from './setting-checks.ts';
export { Settings, ideDefaults } from './effective-settings.ts';
