export { bundle } from './bundle.ts';
export { checkRequirements, installLine, missingPackages, type Requirement } from './requirements.ts';
export { toolsPage } from './tools-page.ts';
export { installMissing, setup, type SetupOptions } from './setup.ts';
