export { createDockerNode, type DockerNodeOptions } from './docker-node.ts';
export { connectEngine } from './engine.ts';
export { listBoundFolders, listNodeImages, pruneNodeImages } from './image-list.ts';
export { listLentRoots } from './lent-roots.ts';
export { prepareDockerNode } from './node-image.ts';
export { openEngineImages } from './saved-images.ts';
