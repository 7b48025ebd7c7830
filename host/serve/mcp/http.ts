import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Routes } from '../server.ts';
import { ClientConnection } from './client-connection.ts';
import type { SharedIde } from './shared-ide.ts';
import type { ServedTools } from './served-tools.ts';

/** Clients that disappear leave their sessions behind; beyond this number, the least recently used one is ended. */
const mostSessions = 32;
/** Enough for the largest file, escaped; in bytes. */
export const longestBody = 64 * 1024 * 1024;

interface Connection {
  readonly transport: StreamableHTTPServerTransport;
  readonly close: () => Promise<void>;
}

/** The protocol over HTTP at one path, `/mcp`: each session is a separate client, in the one IDE. */
export class McpSessions implements AsyncDisposable {
  readonly routes: Routes;
  readonly #ide: SharedIde;
  readonly #tools: ServedTools;
  /** The least recently used first. */
  readonly #sessions = new Map<string, Connection>();

  constructor(ide: SharedIde, tools: ServedTools) {
    this.#ide = ide;
    this.#tools = tools;
    const handler = (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response);
    this.routes = { '/mcp': { GET: handler, POST: handler, DELETE: handler } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return this.#continue(id, request, response);
    const { transport, close } = await this.#open();
    await transport.handleRequest(request, response);
    // It was not an initialize request, as the answer says.
    if (transport.sessionId === undefined) await close();
  }

  async #continue(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) {
      const error = { code: -32_001, message: 'there is no such session: start a new one' };
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
      return;
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    await session.transport.handleRequest(request, response);
  }

  async #open(): Promise<Connection> {
    const { StreamableHTTPServerTransport } =
      await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
    const client = new ClientConnection(this.#ide, this.#tools);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: longestBody,
      onsessioninitialized: (id): Promise<void> => this.#keep(id, connection),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const server = await client.connect(transport);
    const connection: Connection = { transport, close: () => server.close() };
    return connection;
  }

  async #keep(id: string, connection: Connection): Promise<void> {
    this.#sessions.set(id, connection);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= mostSessions || !oldest) return;
    this.#sessions.delete(oldest[0]);
    await oldest[1].close();
  }
}
