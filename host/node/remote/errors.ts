import { PwpError, isErrorCode } from '../../../bridge/lib/index.ts';
import { ErrorCode, RpcError, nodeErrorData } from '../../../bridge/protocol/index.ts';

/** A node's error as it goes over the wire. Errors of a bridge are passed on unchanged. */
export function toWire(error: unknown): unknown {
  if (!(error instanceof PwpError)) return error;
  const data = { code: error.code, ...(error.help !== undefined && { help: error.help }) };
  return new RpcError(ErrorCode.InternalError, describe(error), { data });
}

/** The node's error as it was thrown there; the signal's reason where the caller gave up. */
export function fromWire(error: unknown, signal?: AbortSignal): unknown {
  if (!(error instanceof RpcError)) return error;
  const { code, help } = nodeErrorData.safeParse(error.data).data ?? {};
  if (isErrorCode(code))
    return new PwpError(code, error.message, { cause: error, ...(help !== undefined && { help }) });
  if (error.code === ErrorCode.Cancelled && signal?.aborted) return signal.reason;
  if (error.code !== ErrorCode.Closed) return error;
  return new PwpError('node-lost', 'the node that the sandbox is on has ended', { cause: error });
}

/** The causes are part of the message: they don't cross the wire. */
function describe(error: PwpError): string {
  const { cause } = error;
  if (!(cause instanceof Error) || error.message.includes(cause.message)) return error.message;
  return `${error.message}: ${cause.message}`;
}
