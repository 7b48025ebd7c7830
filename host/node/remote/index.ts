export { connectRemoteNode, type RemoteNode, type RemoteNodeOptions } from './remote-node.ts';
export { serveNode } from './serve-node.ts';
