import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** Starts an MCP server, connects to its standard streams, and ends it when it is disposed. */
export async function startServer(
  command: string,
  args: readonly string[],
): Promise<AsyncDisposable & { readonly client: Client }> {
  const client = new Client({ name: 'bench', version: '1' });
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore', env }));
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
