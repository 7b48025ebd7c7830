import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { toolMethods } from '../../../../bridge/protocol/index.ts';
import { callToolOver, type ToolCall } from '../../../env/index.ts';
import { version } from '../../../lib/index.ts';
import { CheckedTransport } from '../checked-transport.ts';
import { clientName } from '../client-name.ts';
import { ClientTools } from '../client-tools.ts';
import { windowInstructions } from '../instructions.ts';
import { servePrompts } from '../prompts.ts';
import { loadSdk } from '../sdk.ts';
import type { RegistryContext } from '../served-tool.ts';
import type { ServedTools } from '../served-tools.ts';
import type { WindowLink } from './link.ts';
import { serveWindowResources } from './resources.ts';

/** Answers the client at the other end of a transport, in a person's own window. The caller closes the server. */
export async function connectToWindow(
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
  const info = { name: 'pwp', title: 'Programming with Pixels', version };
  const listChanged = { listChanged: true };
  const mcp = new sdk.McpServer(info, {
    capabilities: { tools: listChanged, resources: {}, prompts: listChanged },
    instructions: windowInstructions(tools.adds),
  });
  const { server } = mcp;
  server.oninitialized = () => link.introduce(clientName(server.getClientVersion()));
  tools.serve(mcp, sdk);
  serveWindowResources(mcp, sdk, link);
  servePrompts(mcp, sdk, (tool) => tools.lists(tool));
  await mcp.connect(new CheckedTransport(transport, sdk));
  return mcp;
}
