export type { Exit } from './exit.ts';
export {
  isOpen,
  openNetwork,
  proxyEnvironment,
  proxyExit,
  refuseKeptNetwork,
  type ExitFor,
  type SandboxNetwork,
} from './network.ts';
export { Refusals } from './refusals.ts';
