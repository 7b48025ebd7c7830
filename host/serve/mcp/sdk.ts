/**
 * The protocol's own SDK, loaded only by its servers: it takes a third of a second, which no other command should wait
 * for.
 */
export async function loadSdk() {
  const [{ McpServer }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { McpServer, ...types };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
