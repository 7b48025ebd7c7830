import type Docker from 'dockerode';
import type { Transport } from '../../../../bridge/rpc/index.ts';

/** A container of a node before it is made. */
export interface Planned {
  readonly name: string;
  /** A folder of this machine: the only one by which other processes of this user find the node. */
  readonly folder: string;
}

/** One way for this process to reach the node in a container. */
export interface Connector {
  readonly kind: 'socket' | 'websocket';
  /** Prepares the container's part of the connection. */
  prepare(engine: Docker, planned: Planned): Promise<Part>;
  /** Once it is made and before it starts. */
  equip(container: Docker.Container, planned: Planned): Promise<void>;
  /** Errors: `connect-failed` as long as no process listens, `not-admitted`. */
  connect(container: Docker.Container, folder: string, signal: AbortSignal): Promise<Transport>;
  /** When the container is gone. */
  forget(engine: Docker, name: string): Promise<void>;
}

/** Part of what a container is made by. */
export interface Part {
  readonly env: readonly string[];
  readonly mounts: readonly Docker.MountSettings[];
  readonly ports: Docker.PortMap;
  readonly networkMode: string;
}

/** Thrown where another kernel runs the container: no Unix socket leads there. */
export class OtherKernel extends Error {}
