import { messageOf, clip } from '../../lib/index.ts';
import {
  ErrorCode,
  RpcError,
  findTool,
  toolError,
  toolMethods,
  tools,
  type ParamsOut,
  type ResultOf,
} from '../../protocol/index.ts';
import { ToolHandlers, type Handlers } from '../../rpc/index.ts';
import type { ExtensionRoute } from '../extensions.ts';
import { addData, type BrowserTests } from './data/index.ts';
import { addRun } from './run.ts';

export { BrowserTests, sqliteMain, sqliteProgram } from './data/index.ts';

/** The context of the tools of the agent's side. */
export interface ToolWork {
  readonly route: ExtensionRoute;
  readonly tests: BrowserTests;
  /** The environment that programs inherit. */
  readonly env: NodeJS.ProcessEnv;
}

/** Serves every tool: tools that need no IDE run here, calls of the others are passed on to the extension. */
export function addTools(handlers: Handlers, { route, tests, env }: ToolWork): void {
  const own = addData(addRun(new ToolHandlers(), env), tests, env);
  handlers
    .add(toolMethods.call, (params, signal) =>
      own.has(params.name) ? own.call(params, signal) : passOn(route, params, signal),
    )
    .add(toolMethods.list, (_, signal) => list(own, route, signal));
}

async function passOn(
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

async function list(
  own: ToolHandlers,
  route: ExtensionRoute,
  signal: AbortSignal,
): Promise<ResultOf<typeof toolMethods.list>> {
  try {
    const there = await route.request(toolMethods.list, {}, signal);
    return { tools: [...own.definitions, ...there.tools], missing: null };
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== ErrorCode.Unavailable) throw error;
    return { tools: own.definitions, missing: clip(messageOf(error), 20_000) };
  }
}
