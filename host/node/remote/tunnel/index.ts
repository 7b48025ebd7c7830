export { egressThrough } from './egress.ts';
export { Tunnels } from './tunnels.ts';
