export { awaitLanguageServers } from './await-servers.ts';
export { howToAdd, isLayered, layeredEndings, layeredLanguage } from './layered.ts';
export { modulesIn, notifyServers } from './on-disk.ts';
export { interpreterOf, isPythonServed, python, type Python } from './python.ts';
export { isServed, isTypeScript } from './served.ts';
export { kindName } from './symbol-kind.ts';
export { readProjectsAgain } from './typescript.ts';
