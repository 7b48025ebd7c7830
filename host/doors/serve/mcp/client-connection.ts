import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Cancellable, raceSignal } from '../../../../bridge/lib/index.ts';
import { type Method, type ParamsIn, type ResultOf, toolMethods } from '../../../../bridge/protocol/index.ts';
import { callToolOver, readIdeState, Session, type ToolCall } from '../../../ide/index.ts';
import { programVersion } from '../../../lib/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import type { Routes } from '../server.ts';
import { ClientTools } from './client-tools.ts';
import { renderInstructions, renderWindowInstructions, servePrompts } from './prompts.ts';
import { resourceUris, stateContents } from './resource-contents.ts';
import { ClientResources, fixedResources, resourceNotFound } from './resources.ts';
import { explainFailure, readFailureReason } from './results.ts';
import type { ServedTools } from './served-tools.ts';
import type { SharedIde } from './shared-ide.ts';
import {
  callAndReport,
  type CallContext,
  type RegistryContext,
  type ServedTool,
} from './tool-definitions.ts';
import { CheckedTransport, clientName, loadSdk, type Sdk } from './transport.ts';

/** The server's end of one client's connection: the tools that the client was shown, and its calls. */
export class ClientConnection implements Disposable {
  readonly #ide: SharedIde;
  readonly #tools: ClientTools<CallContext>;
  readonly #resources: ClientResources;
  #session: Session | undefined;

  constructor(ide: SharedIde, served: ServedTools) {
    this.#ide = ide;
    this.#tools = new ClientTools(served, {
      doing: (tool) => (ide.ready ? tool : 'the IDE is starting'),
      run: (tool, given, signal) => this.#run(tool, given, signal),
    });
    this.#resources = new ClientResources(ide);
  }

  /** Answers the client at the other end of a transport. The caller closes the server. */
  async connect(transport: Transport): Promise<McpServer> {
    const sdk = await loadSdk();
    const info = { name: 'pwp', title: 'Programming with Pixels', version: programVersion };
    const listChanged = { listChanged: true };
    const mcp = new sdk.McpServer(info, {
      capabilities: { tools: listChanged, resources: listChanged, prompts: listChanged },
      instructions: renderInstructions(this.#tools.adds),
    });
    this.#tools.serve(mcp, sdk);
    this.#resources.serve(mcp, sdk);
    servePrompts(mcp, sdk, (tool) => this.#tools.lists(tool));
    mcp.server.onclose = () => this[Symbol.dispose]();
    await mcp.connect(new CheckedTransport(transport, sdk));
    return mcp;
  }

  [Symbol.dispose](): void {
    this.#resources[Symbol.dispose]();
    this.#session?.[Symbol.dispose]();
    this.#session = undefined;
  }

  async #run(tool: ServedTool, given: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const sandbox = await this.#ide.sandbox(signal);
    const callTool = (call: ToolCall) => callAndReport(call, sandbox, signal);
    const call = () => tool.call(given, { sandbox, session: this.#sessionOf(sandbox), signal, callTool });
    return tool.exclusive ? await this.#ide.inTurn(call, signal) : await call();
  }

  #sessionOf(sandbox: Sandbox): Session {
    return (this.#session ??= new Session(sandbox));
  }
}

/** The two ends of a pipe to a client. */
export interface Pipe {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the client at the other end of a pipe until it closes the pipe or the signal fires. */
export async function serveStdio(
  ide: SharedIde,
  tools: ServedTools,
  pipe: Pipe,
  signal: AbortSignal,
): Promise<void> {
  using client = new ClientConnection(ide, tools);
  await servePipe((transport) => client.connect(transport), pipe, signal);
}

/** As {@link serveStdio}, in a person's own window. */
export async function serveWindowStdio(
  link: WindowLink,
  tools: ServedTools<RegistryContext>,
  pipe: Pipe,
  signal: AbortSignal,
): Promise<void> {
  await servePipe((transport) => connectToWindow(link, tools, transport), pipe, signal);
}

async function servePipe(
  connect: (transport: Transport) => Promise<McpServer>,
  { input, output }: Pipe,
  signal: AbortSignal,
): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  // A client that is gone has closed its pipes: a failed write means that it has ended, and is not an error.
  const gone = Promise.race([
    once(input, 'end'),
    once(input, 'close'),
    whenFailed(input),
    whenFailed(output),
  ]);
  const transport = new StdioServerTransport(input, output, { maxBufferSize: longestMessage });
  const server = await connect(transport);
  try {
    await raceSignal(gone, signal).catch(() => undefined);
  } finally {
    await server.close();
  }
}

/** Enough for the largest file, escaped; in bytes. */
const longestMessage = 64 * 1024 * 1024;

function whenFailed(stream: NodeJS.EventEmitter): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  // Not `once`: an error without a listener ends the process.
  stream.on('error', resolve);
  return promise;
}

/** Clients that disappear leave their sessions behind; beyond this number, the least recently used one is ended. */
const mostSessions = 32;
/** Enough for the largest file, escaped; in bytes. */
export const longestBody = 64 * 1024 * 1024;

interface HttpSession {
  readonly transport: StreamableHTTPServerTransport;
  readonly close: () => Promise<void>;
}

/** The protocol over HTTP at one path, `/mcp`: each session is a separate client, in the one IDE. */
export class McpSessions implements AsyncDisposable {
  readonly routes: Routes;
  readonly #ide: SharedIde;
  readonly #tools: ServedTools;
  /** The least recently used first. */
  readonly #sessions = new Map<string, HttpSession>();

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

  async #open(): Promise<HttpSession> {
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
    const connection: HttpSession = { transport, close: () => server.close() };
    return connection;
  }

  async #keep(id: string, connection: HttpSession): Promise<void> {
    this.#sessions.set(id, connection);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= mostSessions || !oldest) return;
    this.#sessions.delete(oldest[0]);
    await oldest[1].close();
  }
}

/** Answers the client at the other end of a transport, in a person's own window. The caller closes the server. */
async function connectToWindow(
  link: WindowLink,
  served: ServedTools<RegistryContext>,
  transport: Transport,
): Promise<McpServer> {
  const sdk = await loadSdk();
  const tools = new ClientTools(served, {
    run: (tool, given, signal) => {
      const callTool = (call: ToolCall) =>
        callToolOver((params) => link.request(toolMethods.call, params, { signal }), call);
      return tool.call(given, { callTool });
    },
  });
  const info = { name: 'pwp', title: 'Programming with Pixels', version: programVersion };
  const listChanged = { listChanged: true };
  const mcp = new sdk.McpServer(info, {
    capabilities: { tools: listChanged, resources: {}, prompts: listChanged },
    instructions: renderWindowInstructions(tools.adds),
  });
  const { server } = mcp;
  server.oninitialized = () => link.introduce(clientName(server.getClientVersion()));
  tools.serve(mcp, sdk);
  serveWindowResources(mcp, sdk, link);
  servePrompts(mcp, sdk, (tool) => tools.lists(tool));
  await mcp.connect(new CheckedTransport(transport, sdk));
  return mcp;
}

/** The connection to the extension in a person's own window. */
export interface WindowLink {
  /** Asks the window. Errors: `window-gone` once it has closed or reloaded, and the window's own. */
  request<M extends Method>(method: M, params: ParamsIn<M>, options?: Cancellable): Promise<ResultOf<M>>;
  /** Names the client, for the questions to the person. */
  introduce(client: string): void;
}

/** The state of the window is the only resource that a client can read without a tool. */
function serveWindowResources({ server }: McpServer, sdk: Sdk, link: WindowLink): void {
  const resources = fixedResources.filter(({ uri }) => uri === resourceUris.state);
  server.setRequestHandler(sdk.ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(sdk.ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    if (uri !== resourceUris.state)
      throw new sdk.McpError(resourceNotFound, `there is no resource ${uri}`, { uri });
    try {
      const state = await readIdeState((method, params) => link.request(method, params, { signal }));
      return { contents: stateContents(uri, state) };
    } catch (error) {
      signal.throwIfAborted();
      throw new sdk.McpError(
        sdk.ErrorCode.InternalError,
        `${readFailureReason(error)}: ${explainFailure(error)}`,
        { uri },
      );
    }
  });
}
