import { PwpError } from '../../lib/index.ts';

/** The other side has broken the protocol of byte streams: its connection is ended with this error. */
export function protocolError(message: string): PwpError {
  return new PwpError('protocol-error', `the other side broke the protocol: ${message}`);
}

export function isProtocolError(error: unknown): error is PwpError {
  return error instanceof PwpError && error.code === 'protocol-error';
}
