import { describeError } from '../../lib/index.ts';
import {
  ErrorCode,
  findTool,
  type ParamsOut,
  type ResultOf,
  RpcError,
  runTools,
  shell,
  toolError,
  toolMethods,
  tools,
} from '../../protocol/index.ts';
import { type Handlers, ToolHandlers } from '../../rpc/index.ts';
import { clip } from '../../text/index.ts';
import type { ProgramSurroundings } from '../config.ts';
import type { ExtensionRoute } from '../extension-route.ts';
import { runShellCommand } from '../shell.ts';
import { addBrowserTools, type BrowserTests } from './browser/index.ts';
import { addHttpTools } from './http.ts';
import { addMongoTools } from './mongo.ts';
import { addSocketTools } from './socket.ts';
import { addSqliteTools } from './sqlite/index.ts';

/** The context of the tools of the agent's side. */
interface ToolWork {
  readonly route: ExtensionRoute;
  readonly tests: BrowserTests;
  readonly surroundings: ProgramSurroundings;
}

/** Serves every tool: tools that need no IDE run here, calls of the others are passed on to the extension. */
export function serveTools(handlers: Handlers, { route, tests, surroundings }: ToolWork): void {
  const own = addDataTools(addShellTool(new ToolHandlers(), surroundings), tests, surroundings);
  handlers
    .add(toolMethods.call, (params, signal) =>
      own.has(params.name) ? own.call(params, signal) : passToExtension(route, params, signal),
    )
    .add(toolMethods.list, (_, signal) => listAllTools(own, route, signal));
}

async function passToExtension(
  route: ExtensionRoute,
  params: ParamsOut<typeof toolMethods.call>,
  signal: AbortSignal,
): Promise<ResultOf<typeof toolMethods.call>> {
  const tool = findTool(params.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    throw toolError('unknown-tool', `there is no tool ${clip(params.name, 100)}; there are ${names}`);
  }
  return route.request(toolMethods.call, params, signal);
}

async function listAllTools(
  own: ToolHandlers,
  route: ExtensionRoute,
  signal: AbortSignal,
): Promise<ResultOf<typeof toolMethods.list>> {
  try {
    const there = await route.request(toolMethods.list, {}, signal);
    return { tools: [...own.definitions, ...there.tools], missing: null };
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== ErrorCode.Unavailable) throw error;
    return { tools: own.definitions, missing: clip(describeError(error), 20_000) };
  }
}

/** Adds the tools of databases, servers and pages. */
function addDataTools(
  handlers: ToolHandlers,
  tests: BrowserTests,
  surroundings: ProgramSurroundings,
): ToolHandlers {
  addSqliteTools(handlers, surroundings.workspace);
  addHttpTools(handlers);
  addSocketTools(handlers);
  addBrowserTools(handlers, tests);
  return addMongoTools(handlers, surroundings);
}

/** Adds commands outside of the IDE. */
function addShellTool(handlers: ToolHandlers, surroundings: ProgramSurroundings): ToolHandlers {
  return handlers.add(runTools.shell, ({ command, timeoutMs }, { signal }) =>
    runShellCommand(shell.run.params.parse({ command, timeoutMs }), surroundings, signal),
  );
}
