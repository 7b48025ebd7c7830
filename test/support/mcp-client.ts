import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { ClientConnection as Served } from '../../host/doors/serve/mcp/client-connection.ts';
import { chooseServedTools, type ServedToolOptions } from '../../host/doors/serve/mcp/served-tools.ts';
import type { SharedIde } from '../../host/doors/serve/mcp/shared-ide.ts';

type Block = CallToolResult['content'][number];
export type ImageBlock = Extract<Block, { type: 'image' }>;

/** The SDK's own client, for tests. */
export class McpClient implements AsyncDisposable {
  readonly client = new Client({ name: 'test', version: '1' });

  static async connect(transport: Transport): Promise<McpClient> {
    const made = new McpClient();
    await made.client.connect(transport);
    return made;
  }

  /** A client connected to a server in this process. */
  static async inMemory(ide: SharedIde, options: ServedToolOptions = {}): Promise<McpClient> {
    const [here, there] = InMemoryTransport.createLinkedPair();
    await new Served(ide, chooseServedTools(options)).connect(there);
    return McpClient.connect(here);
  }

  /** The whole answer, whether the tool succeeded or not. */
  async call(name: string, given: object = {}, options: RequestOptions = {}): Promise<CallToolResult> {
    const asked = { name, arguments: given as Record<string, unknown> };
    return CallToolResultSchema.parse(await this.client.callTool(asked, undefined, options));
  }

  /** The text of a successful answer. */
  async text(name: string, given: object = {}, options: RequestOptions = {}): Promise<string> {
    const answer = await this.call(name, given, options);
    assert.notEqual(answer.isError, true, textOf(answer));
    return textOf(answer);
  }

  /** The text of a failed answer. */
  async refusal(name: string, given: object = {}): Promise<string> {
    const answer = await this.call(name, given);
    assert.equal(answer.isError, true, textOf(answer));
    return textOf(answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

export function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

export function imagesOf({ content }: CallToolResult): ImageBlock[] {
  return content.filter((block) => block.type === 'image');
}
