export { type Egress, RefusalLog } from './egress.ts';
export {
  createProxyEgress,
  type EgressFactory,
  hasNetwork,
  listenForEgress,
  openSandboxNetwork,
  proxyEnvironment,
  refuseKeptNetwork,
  type SandboxNetwork,
} from './sandbox-network.ts';
