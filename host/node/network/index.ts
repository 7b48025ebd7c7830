export type { Egress } from './egress.ts';
export {
  isOpen,
  listenForEgress,
  openNetwork,
  proxyEnvironment,
  proxyEgress,
  refuseKeptNetwork,
  type EgressFor,
  type SandboxNetwork,
} from './network.ts';
export { Refusals } from './refusals.ts';
