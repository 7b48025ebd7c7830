import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { addTools, addToolsDefinition, addToolsName } from './add-tools.ts';
import { failure } from './errors.ts';
import { OfferedTools } from './offered-tools.ts';
import { progressReporter, withProgress, type CallExtra } from './progress.ts';
import type { Sdk } from './sdk.ts';
import type { ServedTool } from './served-tool.ts';
import { hint, type ServedTools } from './served-tools.ts';

/** Runs the tools of a client. */
export interface ToolRunner<C> {
  /** Returns what a call waits for, for people. Default: its tool. */
  readonly doing?: (tool: string) => string;
  run(tool: ServedTool<C>, given: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>;
}

/** The tools of one client: its list, and its calls. */
export class ClientTools<C> {
  readonly #tools: OfferedTools<C>;
  readonly #runner: ToolRunner<C>;
  /** The server can add tools to the client's list. */
  readonly adds: boolean;

  constructor(served: ServedTools<C>, runner: ToolRunner<C>) {
    this.#tools = new OfferedTools(served);
    this.#runner = runner;
    this.adds = served.more.length > 0;
  }

  /** Whether the client is shown a tool. */
  lists(name: string): boolean {
    return this.#tools.lists(name);
  }

  serve({ server }: McpServer, sdk: Sdk): void {
    const adder = this.adds ? [addToolsDefinition(this.#tools)] : [];
    server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({
      tools: [...this.#tools.definitions, ...adder],
    }));
    server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) => {
      const { name, arguments: given = {} } = params;
      if (this.adds && name === addToolsName) return this.#add(given, extra);
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

  async #call(
    tool: ServedTool<C>,
    given: Record<string, unknown>,
    extra: CallExtra,
  ): Promise<CallToolResult> {
    const { signal } = extra;
    const { name } = tool.definition;
    try {
      return await withProgress(
        progressReporter(extra),
        () => this.#runner.doing?.(name) ?? name,
        () => this.#runner.run(tool, given, signal),
      );
    } catch (error) {
      // No one waits for an answer to a cancelled call.
      signal.throwIfAborted();
      return failure(error);
    }
  }
}
