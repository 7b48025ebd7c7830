import type Docker from 'dockerode';
import type { Transport } from '../../../bridge/rpc/index.ts';

/** A container of a node before it is made. */
export interface PlannedContainer {
  readonly name: string;
  /** A folder of this machine: the only one by which other processes of this user find the node. */
  readonly folder: string;
}

/** One way for this process to reach the node in a container. */
export interface NodeConnector {
  readonly kind: 'socket' | 'websocket';
  /** Prepares the container's part of the connection. */
  prepare(engine: Docker, planned: PlannedContainer): Promise<ContainerSettings>;
  /** Once it is made and before it starts. */
  equip(container: Docker.Container, planned: PlannedContainer): Promise<void>;
  /** Errors: `connect-failed` as long as no process listens, `not-admitted`. */
  connect(container: Docker.Container, folder: string, signal: AbortSignal): Promise<Transport>;
  /** When the container is gone. */
  forget(engine: Docker, name: string): Promise<void>;
}

/** Part of what a container is made by. */
interface ContainerSettings {
  readonly env: readonly string[];
  readonly mounts: readonly Docker.MountSettings[];
  readonly ports: Docker.PortMap;
  readonly networkMode: string;
}

/** Thrown where another kernel runs the container: no Unix socket leads there. */
export class OtherKernelError extends Error {}

/**
 * The node's program ends with this code where it runs on another kernel than the host: no Unix socket leads from one
 * to the other.
 */
export const otherKernelExit = 69;
