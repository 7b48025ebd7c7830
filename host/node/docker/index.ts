export { createDockerNode, type DockerNodeOptions, prepareDockerNode } from './docker-node.ts';
export { connectEngine } from './engine.ts';
export { listBoundFolders, listNodeImages, pruneNodeImages } from './image-list.ts';
