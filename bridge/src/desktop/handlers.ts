import { deadline } from '../../lib/index.ts';
import {
  ErrorCode,
  RpcError,
  desktop,
  type DesktopStatus,
  type Service,
  type ServiceName,
} from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import { logTail } from './log.ts';
import type { Status } from './status.ts';

/** Returns the end of a part's log. */
export type ReadLog = (service: ServiceName, maxBytes: number, signal: AbortSignal) => Promise<string>;

/** Serves the state of the desktop. */
export function addDesktop(handlers: Handlers, status: Status, readLog: ReadLog = logTail): void {
  handlers
    .add(desktop.status, () => ({ services: status.services }))
    .add(desktop.wait, ({ timeoutMs }, signal) => waitUntilReady(status, timeoutMs, signal))
    .add(desktop.log, async ({ service, maxBytes }, signal) => ({
      text: await readLog(service, maxBytes, signal),
    }));
}

async function waitUntilReady(
  status: Status,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DesktopStatus> {
  using limit = deadline('desktop.wait', timeoutMs, signal);
  const settled = (services: readonly Service[]) =>
    services.some(({ state }) => state === 'failed') || services.every(({ state }) => state === 'ready');
  await status.until(settled, limit.signal).catch(() => {
    throw new RpcError(ErrorCode.TimedOut, `not ready after ${timeoutMs} ms: ${describe(status.services)}`);
  });
  const failed = status.services.find(({ state }) => state === 'failed');
  if (!failed) return { services: status.services };
  throw new RpcError(ErrorCode.Unavailable, `${failed.name} failed: ${failed.detail ?? 'no detail'}`);
}

function describe(services: readonly Service[]): string {
  const missing = services.filter(({ state }) => state !== 'ready');
  return missing
    .map(({ name, state, detail }) => `${name} ${state}${detail ? ` (${detail})` : ''}`)
    .join(', ');
}
