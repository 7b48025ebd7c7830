export { addExtensionTools, makeExtensionTools } from './add-tools.ts';
export { registerPreview } from './view/index.ts';
export { ReportedProblems } from './window-facts.ts';
