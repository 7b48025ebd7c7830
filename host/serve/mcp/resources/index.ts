export { ClientResources, notFound } from './serve.ts';
export { fixedResources } from './list.ts';
export { stateContents } from './read.ts';
export { uris } from './uris.ts';
