import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { pause } from '../../bridge/lib/index.ts';

/**
 * Minimum time for a model to read an answer and to decide, in milliseconds: it passes before each call and is in no
 * figure. An IDE that is not yet at rest when an answer says so has this long to get there.
 */
export const thinkMs = 1000;
/** For a call beside other load, in milliseconds. */
const longestMs = 120_000;

/** The costs of an agent. */
export interface Cost {
  readonly calls: number;
  /** Bytes of text in the answers. */
  readonly bytes: number;
  readonly ms: number;
}

/** A client with its own MCP server, which counts calls, waiting time and the text that an agent would have to read. */
export class CountedClient implements AsyncDisposable {
  readonly #client = new Client({ name: 'bench', version: '1' });
  #calls = 0;
  #bytes = 0;
  #ms = 0;

  /** Starts the server. It is ended when this is disposed. */
  static async start(command: string, args: readonly string[], cwd?: string): Promise<CountedClient> {
    const made = new CountedClient();
    const env = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));
    const server = { command, args: [...args], stderr: 'ignore', env, ...(cwd !== undefined && { cwd }) };
    await made.#client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
    return made;
  }

  get cost(): Cost {
    return { calls: this.#calls, bytes: this.#bytes, ms: this.#ms };
  }

  /** How many tools the server lists, and the bytes of their descriptions and schemas. */
  async listing(): Promise<{ tools: number; bytes: number }> {
    const { tools } = await this.#client.listTools();
    return { tools: tools.length, bytes: Buffer.byteLength(JSON.stringify(tools)) };
  }

  /** The text of the answer. Errors: one with that text, if the tool failed. */
  async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<string> {
    await pause(thinkMs);
    const begin = performance.now();
    const asked = { name, arguments: given };
    const answer = CallToolResultSchema.parse(
      await this.#client.callTool(asked, undefined, { timeout: longestMs }),
    );
    this.#ms += performance.now() - begin;
    const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    this.#calls += 1;
    this.#bytes += Buffer.byteLength(text);
    if (answer.isError) throw new Error(`${name} ${JSON.stringify(given)}: ${text.slice(0, 500)}`);
    return text;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }
}
