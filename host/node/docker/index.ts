export { DockerNode, createDockerNode, type DockerNodeOptions } from './docker-node.ts';
export { connectEngine } from './engine.ts';
export { boundFolders, listNodeImages, pruneNodeImages, type NodeImageUse } from './images.ts';
