import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { readFirstSentence, readToolArguments } from '../../../../bridge/protocol/index.ts';
import { errorResult, failedResult, textContent } from './results.ts';
import { readServedFamily, type ServedFamily, type ServedTools, suggestName } from './served-tools.ts';
import { type ServedTool, toolHints } from './tool-definitions.ts';
import { type CallExtra, progressReporter, type Sdk, withProgress } from './transport.ts';

/** Runs the tools of a client. */
interface ToolRunner<C> {
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
    const adder = this.adds ? [defineAddTools(this.#tools)] : [];
    server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({
      tools: [...this.#tools.definitions, ...adder],
    }));
    server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) => {
      const { name, arguments: given = {} } = params;
      if (this.adds && name === addToolsName) return this.#add(given, extra);
      const tool = this.#tools.find(name);
      if (tool) return this.#call(tool, given, extra);
      const words = `there is no tool ${name}: ${suggestName(name, this.#tools.names)}`;
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, words);
    });
  }

  /** The prompts follow the tools. */
  #add(given: Record<string, unknown>, { sendNotification }: CallExtra): Promise<CallToolResult> {
    return addOfferedTools(this.#tools, given, async () => {
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
      return errorResult(error);
    }
  }
}

/** The tools of one client: those that it is shown, and those that it may add. */
class OfferedTools<C> {
  readonly #listed: Map<string, ServedTool<C>>;
  readonly #more: Map<string, ServedTool<C>>;

  constructor({ listed, more }: ServedTools<C>) {
    this.#listed = indexByName(listed);
    this.#more = indexByName(more);
  }

  /** As the client lists them. */
  get definitions(): McpTool[] {
    return [...this.#listed.values()].map(({ definition }) => definition);
  }

  /** Whether the client is shown a tool. */
  lists(name: string): boolean {
    return this.#listed.has(name);
  }

  /** Families of the tools that the client may still add. */
  get moreFamilies(): readonly ServedFamily[] {
    return [...new Set([...this.#more.values()].map(readServedFamily))];
  }

  /** Names of all tools that may be called. */
  get names(): readonly string[] {
    return [...this.#listed.keys(), ...this.#more.keys()];
  }

  /** A tool that may be called, including those that could be added, since not every client reads its list again. */
  find(name: string): ServedTool<C> | undefined {
    return this.#listed.get(name) ?? this.#more.get(name);
  }

  /**
   * Shows the client more tools.
   * @param names families or tools
   * @returns the names that are now shown, or the first name that is neither
   */
  add(names: readonly string[]): { readonly added: readonly ServedTool<C>[] } | { readonly unknown: string } {
    const every = [...this.#listed.values(), ...this.#more.values()];
    const isMeant = (name: string) => (tool: ServedTool<C>) =>
      tool.definition.name === name || readServedFamily(tool) === name;
    const wrong = names.find((name) => !every.some(isMeant(name)));
    if (wrong !== undefined) return { unknown: wrong };
    const added = every.filter((tool) => names.some((name) => isMeant(name)(tool)));
    for (const tool of added) {
      this.#listed.set(tool.definition.name, tool);
      this.#more.delete(tool.definition.name);
    }
    return { added };
  }
}

function indexByName<C>(tools: readonly ServedTool<C>[]): Map<string, ServedTool<C>> {
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

export const addToolsName = 'add_tools';

/** The tools of each family beyond the core. */
const familyContents: Readonly<Record<ServedFamily, string>> = {
  files: 'edits by lines, notebooks, folders, moving and deleting',
  search: 'search by words, hover, symbols, implementations, hierarchies of calls and types',
  refactor: 'moving symbols and files, code actions, formatting',
  run: 'terminals, tasks, list of tests, Python',
  debug: 'breakpoints, stepping, stack, variables',
  history: 'earlier versions of files',
  view: 'differences, previews, charts, diagrams, images, a picture of an element',
  data: 'SQLite, MongoDB, HTTP, WebSocket, pages in a browser',
  profile: 'CPU profiles',
  ide: 'extensions, keybindings',
  computer: 'dragging, moving the pointer, holding keys, waiting, dialogs of the browser',
  people: 'what a person changed, at length',
};

const addToolsInput = z.strictObject({
  names: z.array(z.string().min(1).max(100)).min(1).max(100).describe('families, or single tools'),
});

/** The tool with which a client gets the tools that it was not shown at first. */
function defineAddTools<C>(offered: OfferedTools<C>): McpTool {
  const families = offered.moreFamilies.map((family) => `${family} (${familyContents[family]})`);
  const { properties, required } = z.toJSONSchema(addToolsInput, { io: 'input' }) as Partial<
    McpTool['inputSchema']
  >;
  return {
    name: addToolsName,
    title: 'Add tools',
    description: `Adds tools to your list, by family: ${families.join('; ')}.`,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: toolHints('Add tools', true),
  };
}

/**
 * Adds tools.
 * @param onAdded is awaited before the answer: reports to the client that its list has changed
 */
async function addOfferedTools<C>(
  offered: OfferedTools<C>,
  given: Readonly<Record<string, unknown>>,
  onAdded: () => Promise<void>,
): Promise<CallToolResult> {
  const checked = readToolArguments(addToolsInput, given);
  if (!checked.success)
    return failedResult('bad-arguments', `${addToolsName}: ${z.prettifyError(checked.error)}`);
  const known = [...new Set([...Object.keys(familyContents), ...offered.names])];
  const result = offered.add(checked.data.names);
  if ('unknown' in result) {
    const { unknown } = result;
    return failedResult(
      'bad-arguments',
      `no family or tool is called ${unknown}: ${suggestName(unknown, known)}`,
    );
  }
  await onAdded();
  const lines = result.added.map(
    ({ definition: { name, description } }) => `${name}: ${readFirstSentence(description ?? '')}`,
  );
  return { content: [textContent(['Now in your list of tools:', ...lines].join('\n'))] };
}
