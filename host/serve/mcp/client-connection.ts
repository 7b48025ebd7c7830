import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Session, type ToolCall } from '../../env/index.ts';
import { version } from '../../lib/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { CheckedTransport } from './checked-transport.ts';
import { ClientTools } from './client-tools.ts';
import { instructions } from './instructions.ts';
import { servePrompts } from './prompts.ts';
import { callAndReport } from './registry.ts';
import { ClientResources } from './resources/index.ts';
import { loadSdk } from './sdk.ts';
import type { CallContext, ServedTool } from './served-tool.ts';
import type { ServedTools } from './served-tools.ts';
import type { SharedIde } from './shared-ide.ts';

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
    const info = { name: 'pwp', title: 'Programming with Pixels', version };
    const listChanged = { listChanged: true };
    const mcp = new sdk.McpServer(info, {
      capabilities: { tools: listChanged, resources: listChanged, prompts: listChanged },
      instructions: instructions(this.#tools.adds),
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
