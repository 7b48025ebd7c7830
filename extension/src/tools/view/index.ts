export { registerPreview } from './preview-tools.ts';
export { addViewTools } from './view-tools.ts';
