export { RemoteNode, type RemoteNodeOptions } from './remote-node.ts';
export { serveNode } from './serve.ts';
export type { ServedNode } from './handle.ts';
