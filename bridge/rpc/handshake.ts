import { ErrorCode, PROTOCOL_VERSION, RpcError, hello, type ResultOf } from '../protocol/index.ts';
import { Handlers } from './handlers.ts';
import type { Peer } from './peer.ts';

/** Says hello first, so that a server of another version is refused before anything else is asked. */
export function handshake(peer: Peer, client: string, signal?: AbortSignal): Promise<ResultOf<typeof hello>> {
  return peer.request(hello, { protocol: PROTOCOL_VERSION, client }, signal);
}

/**
 * Handlers that already answer `hello`.
 * @param onClient receives the name that a caller of this version gives
 */
export function handshakeHandlers(
  server: 'bridge' | 'extension' | 'node',
  version: string,
  onClient: (name: string) => void = () => undefined,
): Handlers {
  return new Handlers().add(hello, ({ protocol, client }) => {
    if (protocol !== PROTOCOL_VERSION) {
      const message = `this ${server} speaks protocol ${PROTOCOL_VERSION}, the caller ${protocol}; bring both to one version`;
      throw new RpcError(ErrorCode.VersionMismatch, message);
    }
    onClient(client);
    return { protocol: PROTOCOL_VERSION, server, version };
  });
}
