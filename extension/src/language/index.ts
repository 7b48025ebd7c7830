export {
  awaitLanguageServers,
  formatSymbolKind,
  isServed,
  isTypeScript,
  listModules,
  notifyServers,
  readProjectsAgain,
  refuseUnknownLanguage,
} from './language-servers.ts';
export { howToAdd, isLayered, layeredEndings, layeredLanguage } from './layered-languages.ts';
export { activatePython, findInterpreter, isPythonServed } from './python-extension.ts';
