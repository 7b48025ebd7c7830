export type { Exit } from './exit.ts';
export {
  isOpen,
  openDoor,
  openNetwork,
  proxyEnvironment,
  proxyExit,
  refuseKeptNetwork,
  type ExitFor,
  type SandboxNetwork,
} from './network.ts';
export { Refusals } from './refusals.ts';
