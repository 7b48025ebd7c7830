import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../../lib/index.ts';
import { ClientModel, type Content, type FunctionTool } from '../../../models/index.ts';
import { CheckedTransport } from '../checked-transport.ts';
import { clientName } from '../client-name.ts';
import { text, type Content as McpContent } from '../content.ts';
import { progressReporter, withProgress, type CallExtra } from '../progress.ts';
import { loadSdk } from '../sdk.ts';

const taskTool = {
  name: 'get_task',
  title: 'Task',
  description: 'What is to be done; before the first call of another tool also what is on the screen.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true },
} satisfies McpTool;

const over = 'The episode is over. What you left is graded.';

export interface AgentConnectionOptions {
  /** The system prompt of its kind of agent. */
  readonly system: string;
  /** The tool with which it reports that it has finished. It is answered at once. */
  readonly finish: string;
  /** Called with the client's model once the client has introduced itself. */
  readonly onClient: (model: ClientModel) => void;
}

/** Answers the client at the other end of a transport, which is the agent of one episode. */
export async function connectAgent(
  transport: Transport,
  { system, finish, onClient }: AgentConnectionOptions,
): Promise<McpServer> {
  const sdk = await loadSdk();
  const client = Promise.withResolvers<ClientModel>();
  const mcp = new sdk.McpServer(
    { name: 'pwp', title: 'Programming with Pixels', version },
    { capabilities: { tools: {} }, instructions: `${system}\n\nThe tool ${taskTool.name} has the task.` },
  );
  const { server } = mcp;
  server.oninitialized = () => {
    const model = new ClientModel(clientName(server.getClientVersion()));
    client.resolve(model);
    onClient(model);
  };
  server.setRequestHandler(sdk.ListToolsRequestSchema, async (_, { signal }) => {
    const tools = await (await client.promise).tools({ signal });
    return { tools: [taskTool, ...tools.map(listed)] };
  });
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: given = {} } = params;
    const model = await client.promise;
    return withProgress(
      progressReporter(extra),
      () => name,
      () => call(model, name, given, finish, extra),
    );
  });
  await mcp.connect(new CheckedTransport(transport, sdk));
  return mcp;
}

async function call(
  model: ClientModel,
  name: string,
  given: Readonly<Record<string, unknown>>,
  finish: string,
  { signal }: CallExtra,
): Promise<CallToolResult> {
  if (name === taskTool.name) return { content: (await model.task({ signal })).map(shown) };
  const called = model.call(name, given);
  if (name === finish) return { content: [text(over)] };
  const { failed: isError, content } = await called;
  return { content: content.map(shown), ...(isError && { isError }) };
}

function listed({ name, description, schema }: FunctionTool): McpTool {
  return { name, description, inputSchema: { ...schema, type: 'object' } };
}

function shown(content: Content): McpContent {
  if (content.kind === 'text') return text(content.text);
  const { bytes, mime } = content;
  return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mime };
}
