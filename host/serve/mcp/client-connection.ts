import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Session } from '../../env/index.ts';
import { version } from '../../lib/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { addTools, addToolsDefinition, addToolsName } from './add-tools.ts';
import { CheckedTransport } from './checked-transport.ts';
import { failure } from './errors.ts';
import { instructions } from './instructions.ts';
import { OfferedTools } from './offered-tools.ts';
import { progressReporter, withProgress, type CallExtra } from './progress.ts';
import { servePrompts } from './prompts.ts';
import { ClientResources } from './resources/index.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import type { ServedTool } from './served-tool.ts';
import { hint, type ServedTools } from './served-tools.ts';
import type { SharedIde } from './shared-ide.ts';

/** The server's end of one client's connection: what the client was shown, and its calls. */
export class ClientConnection implements Disposable {
  readonly #ide: SharedIde;
  readonly #tools: OfferedTools;
  /** The server can add tools to the client's list. */
  readonly #adds: boolean;
  readonly #resources: ClientResources;
  #session: Session | undefined;

  constructor(ide: SharedIde, served: ServedTools) {
    this.#ide = ide;
    this.#tools = new OfferedTools(served);
    this.#adds = served.more.length > 0;
    this.#resources = new ClientResources(ide);
  }

  /** Answers the client at the other end of a transport. Who calls this closes the server. */
  async connect(transport: Transport): Promise<McpServer> {
    const sdk = await loadSdk();
    const info = { name: 'pwp', title: 'Programming with Pixels', version };
    const listChanged = { listChanged: true };
    const mcp = new sdk.McpServer(info, {
      capabilities: { tools: listChanged, resources: listChanged, prompts: listChanged },
      instructions: instructions(this.#adds),
    });
    this.#serveTools(mcp, sdk);
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

  #serveTools({ server }: McpServer, sdk: Sdk): void {
    const adder = this.#adds ? [addToolsDefinition(this.#tools)] : [];
    server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({
      tools: [...this.#tools.definitions, ...adder],
    }));
    server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) => {
      const { name, arguments: given = {} } = params;
      if (this.#adds && name === addToolsName) return this.#add(given, extra);
      const tool = this.#tools.find(name);
      if (tool) return this.#call(tool, given, extra);
      const words = `there is no tool ${name}: ${hint(name, this.#tools.names)}`;
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, words);
    });
  }

  /** The prompts follow the tools. */
  #add(given: Record<string, unknown>, { sendNotification }: CallExtra): Promise<CallToolResult> {
    return addTools(this.#tools, given, async () => {
      await sendNotification({ method: 'notifications/tools/list_changed' });
      await sendNotification({ method: 'notifications/prompts/list_changed' });
    });
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
