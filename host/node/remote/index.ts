export { otherKernelExit } from './exit-codes.ts';
export { RemoteNode, type RemoteNodeOptions } from './remote-node.ts';
export { serveNode, type ServedNode } from './serve.ts';
