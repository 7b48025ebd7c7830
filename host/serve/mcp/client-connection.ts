import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import { Session } from '../../env/index.ts';
import { version } from '../../lib/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { SharedIde } from './shared-ide.ts';
import { failure } from './errors.ts';
import { instructions } from './instructions.ts';
import type { ServedTool } from './served-tool.ts';
import { withProgress } from './progress.ts';
import { loadSdk } from './sdk.ts';

/** What a call has besides its arguments. */
interface CallExtra {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: ServerNotification) => Promise<void>;
}

/** The server's end of one client's connection: what the client was shown, and its calls. */
export class ClientConnection implements Disposable {
  readonly #ide: SharedIde;
  readonly #tools: ReadonlyMap<string, ServedTool>;
  #session: Session | undefined;

  constructor(ide: SharedIde, served: readonly ServedTool[]) {
    this.#ide = ide;
    this.#tools = new Map(served.map((tool) => [tool.definition.name, tool]));
  }

  /** A server of the protocol that answers for this client. The caller that connects it closes it. */
  async createServer(): Promise<McpServer> {
    const { McpServer, CallToolRequestSchema, ListToolsRequestSchema, ErrorCode, McpError } = await loadSdk();
    const info = { name: 'pwp', title: 'Programming with Pixels', version };
    const mcp = new McpServer(info, { capabilities: { tools: {} }, instructions });
    const tools = [...this.#tools.values()].map(({ definition }) => definition);
    mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
      const tool = this.#tools.get(params.name);
      if (!tool) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`);
      return this.#call(tool, params.arguments ?? {}, extra);
    });
    mcp.server.onclose = () => this[Symbol.dispose]();
    return mcp;
  }

  [Symbol.dispose](): void {
    this.#session?.[Symbol.dispose]();
    this.#session = undefined;
  }

  async #call(tool: ServedTool, given: Record<string, unknown>, extra: CallExtra): Promise<CallToolResult> {
    const { signal } = extra;
    const doing = () => (this.#ide.ready ? tool.definition.name : 'the IDE is starting');
    try {
      return await withProgress(progressReporter(extra), doing, async () => {
        const sandbox = await this.#ide.sandbox(signal);
        const call = () => tool.call(given, { sandbox, session: this.#sessionOf(sandbox), signal });
        return tool.exclusive ? await this.#ide.inTurn(call, signal) : await call();
      });
    } catch (error) {
      // Nobody waits for an answer to a call that was cancelled.
      signal.throwIfAborted();
      return failure(error);
    }
  }

  #sessionOf(sandbox: Sandbox): Session {
    return (this.#session ??= new Session(sandbox));
  }
}

/** Sends progress to a client that requested it. */
function progressReporter({ _meta: meta, sendNotification }: CallExtra) {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress: number, message: string) =>
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
}
