export { AgentRoots } from './agent-roots.ts';
export { createLocalNode, type LocalNodeOptions } from './local-node.ts';
export { canRunLocally, isOnThisMachine, listKeptImages, prepareThisMachine } from './prepare-machine.ts';
