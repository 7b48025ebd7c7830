import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { pause, raceSignal } from '../../../../bridge/lib/index.ts';
import { programVersion } from '../../../lib/index.ts';
import { ClientModel, type FunctionTool, type MessageContent } from '../../../run/index.ts';
import { openServer, type RequestHandler, type Server, type ServerOptions } from '../server.ts';
import { longestBody } from './client-connection.ts';
import { type McpContent, textContent } from './results.ts';
import {
  type CallExtra,
  CheckedTransport,
  clientName,
  loadSdk,
  progressReporter,
  withProgress,
} from './transport.ts';

interface AgentServerOptions extends Omit<AgentConnectionOptions, 'onClient'>, ServerOptions {
  /** Port on 127.0.0.1; 0 for a free one. */
  readonly port: number;
  /** Milliseconds after which a client that closed its stream counts as gone, unless it reconnects. Default 10,000. */
  readonly graceMs?: number;
}

/** The place of an episode's agent, for one client over HTTP, at the path `/mcp`. */
export class AgentServer implements AsyncDisposable {
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
  }: AgentServerOptions): Promise<AgentServer> {
    const { StreamableHTTPServerTransport } =
      await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
    const client = Promise.withResolvers<ClientModel>();
    let model: ClientModel | undefined;
    const gone = () => model?.end('The client has gone.');
    await using owned = new AsyncDisposableStack();
    const presence = owned.use(new ClientPresence(gone, graceMs));
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
    return new AgentServer(owned.move(), server, client.promise);
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

const taskTool = {
  name: 'get_task',
  title: 'Task',
  description: 'What is to be done; before the first call of another tool also what is on the screen.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true },
} satisfies McpTool;

const episodeOverText = 'The episode is over. What you left is graded.';

interface AgentConnectionOptions {
  /** The system prompt of its kind of agent. */
  readonly system: string;
  /** The tool with which it reports that it has finished. It is answered at once. */
  readonly finish: string;
  /** Called with the client's model once the client has introduced itself. */
  readonly onClient: (model: ClientModel) => void;
}

/** Answers the client at the other end of a transport, which is the agent of one episode. */
async function connectAgent(
  transport: Transport,
  { system, finish, onClient }: AgentConnectionOptions,
): Promise<McpServer> {
  const sdk = await loadSdk();
  const client = Promise.withResolvers<ClientModel>();
  const mcp = new sdk.McpServer(
    { name: 'pwp', title: 'Programming with Pixels', version: programVersion },
    { capabilities: { tools: {} }, instructions: `${system}\n\nThe tool ${taskTool.name} has the task.` },
  );
  const { server } = mcp;
  server.oninitialized = () => {
    const model = new ClientModel(clientName(server.getClientVersion()));
    client.resolve(model);
    onClient(model);
  };
  server.setRequestHandler(sdk.ListToolsRequestSchema, async (_, { signal }) => {
    const tools = await (await client.promise).tools({ signal });
    return { tools: [taskTool, ...tools.map(toMcpTool)] };
  });
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: given = {} } = params;
    const model = await client.promise;
    return withProgress(
      progressReporter(extra),
      () => name,
      () => callModelTool(model, name, given, finish, extra),
    );
  });
  await mcp.connect(new CheckedTransport(transport, sdk));
  return mcp;
}

async function callModelTool(
  model: ClientModel,
  name: string,
  given: Readonly<Record<string, unknown>>,
  finish: string,
  { signal }: CallExtra,
): Promise<CallToolResult> {
  if (name === taskTool.name) return { content: (await model.task({ signal })).map(toMcpContent) };
  const called = model.call(name, given);
  if (name === finish) return { content: [textContent(episodeOverText)] };
  const { failed: isError, content } = await called;
  return { content: content.map(toMcpContent), ...(isError && { isError }) };
}

function toMcpTool({ name, description, schema }: FunctionTool): McpTool {
  return { name, description, inputSchema: { ...schema, type: 'object' } };
}

function toMcpContent(content: MessageContent): McpContent {
  if (content.kind === 'text') return textContent(content.text);
  const { bytes, mime } = content;
  return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mime };
}

/** The longest wait for answers under way, in milliseconds. */
const answerWaitMs = 2000;

/**
 * Detects from a client's requests when it has gone. HTTP has no end of a connection, but most clients keep a stream open
 * for the server's messages, which closes with them. A client that never opened one never counts as gone.
 */
class ClientPresence implements Disposable {
  readonly #onGone: () => void;
  readonly #graceMs: number;
  readonly #open = new Map<ServerResponse, 'stream' | 'answer'>();
  #hadStream = false;
  #absence: AbortController | undefined;

  /** @param graceMs milliseconds that a client may be without a request: one that lost its stream reopens it */
  constructor(onGone: () => void, graceMs: number) {
    this.#onGone = onGone;
    this.#graceMs = graceMs;
  }

  /** Counts a request until its response has ended. */
  follow({ method }: IncomingMessage, response: ServerResponse): void {
    const kind = method === 'GET' ? 'stream' : 'answer';
    this.#absence?.abort();
    this.#open.set(response, kind);
    this.#hadStream ||= kind === 'stream';
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0 && this.#hadStream) void this.#wait();
    });
  }

  /** Resolves when all requests are answered, or when that takes too long. */
  async answered(): Promise<void> {
    const answers = [...this.#open].filter(([, kind]) => kind === 'answer');
    const signal = AbortSignal.timeout(answerWaitMs);
    await Promise.allSettled(answers.map(([response]) => once(response, 'close', { signal })));
  }

  [Symbol.dispose](): void {
    this.#hadStream = false;
    this.#absence?.abort();
  }

  async #wait(): Promise<void> {
    const absence = new AbortController();
    this.#absence = absence;
    await pause(this.#graceMs, absence.signal).then(this.#onGone, () => undefined);
  }
}
