import { randomUUID } from 'node:crypto';
import { raceSignal } from '../../../../bridge/lib/index.ts';
import type { ClientModel } from '../../../models/index.ts';
import { openServer, type RequestHandler, type Server, type ServerOptions } from '../../server.ts';
import { longestBody } from '../http.ts';
import { connectAgent, type AgentConnectionOptions } from './connection.ts';
import { Presence } from './presence.ts';

export interface AgentSeatOptions extends Omit<AgentConnectionOptions, 'onClient'>, ServerOptions {
  /** Port on 127.0.0.1; 0 for a free one. */
  readonly port: number;
  /** Milliseconds after which a client that closed its stream counts as gone, unless it reconnects. Default 10,000. */
  readonly graceMs?: number;
}

/** The place of an episode's agent, for one client over HTTP, at the path `/mcp`. */
export class AgentSeat implements AsyncDisposable {
  readonly server: Server;
  readonly #owned: AsyncDisposableStack;
  readonly #client: Promise<ClientModel>;

  private constructor(owned: AsyncDisposableStack, server: Server, client: Promise<ClientModel>) {
    this.#owned = owned;
    this.server = server;
    this.#client = client;
  }

  /** Errors: those of {@link openServer}. */
  static async open({
    port,
    token,
    allowHosts,
    graceMs = 10_000,
    ...options
  }: AgentSeatOptions): Promise<AgentSeat> {
    const { StreamableHTTPServerTransport } =
      await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
    const client = Promise.withResolvers<ClientModel>();
    let model: ClientModel | undefined;
    const gone = () => model?.end('The client has gone.');
    await using owned = new AsyncDisposableStack();
    const presence = owned.use(new Presence(gone, graceMs));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: longestBody,
      onsessionclosed: gone,
    });
    const onClient = (made: ClientModel) => client.resolve((model = made));
    const mcp = await connectAgent(transport, { ...options, onClient });
    owned.defer(() => mcp.close());
    const answer: RequestHandler = async (request, response) => {
      presence.follow(request, response);
      await transport.handleRequest(request, response);
    };
    const routes = { '/mcp': { GET: answer, POST: answer, DELETE: answer } };
    const server = owned.use(await openServer(routes, port, { token, allowHosts }));
    owned.defer(() => {
      model?.end('The episode is over.');
      return presence.answered();
    });
    return new AgentSeat(owned.move(), server, client.promise);
  }

  /** Resolves with the client once there is one: its calls are the turns of a model. */
  taken(signal: AbortSignal): Promise<ClientModel> {
    return raceSignal(this.#client, signal);
  }

  /** Callers get the error that the episode is over. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
