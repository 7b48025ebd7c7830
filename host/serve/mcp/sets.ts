import { findTool, type Tool } from '../../../bridge/protocol/index.ts';
import { setDefinition, toolSet, type SetTool } from '../../env/index.ts';
import { hints, isOfWindow, resultOf } from './registry.ts';
import type { RegistryContext, ServedTool } from './served-tool.ts';

/** The tools of a set, under its names and with its arguments. Errors: `bad-action` for an unknown set. */
export function setTools(set: string): ServedTool<RegistryContext>[] {
  return toolSet(set).tools.map((tool) => servedTool(set, tool));
}

/** The ones that a window answers by itself. */
export function setToolsOfWindow(set: string): ServedTool<RegistryContext>[] {
  return toolSet(set)
    .tools.filter((tool) => toolsBehind(tool).every(isOfWindow))
    .map((tool) => servedTool(set, tool));
}

function toolsBehind(tool: SetTool): Tool[] {
  return setDefinition(tool).answeredBy.flatMap((one) => findTool(one) ?? []);
}

function servedTool(set: string, tool: SetTool): ServedTool<RegistryContext> {
  const { name, description, input } = setDefinition(tool);
  const behind = toolsBehind(tool);
  const title = behind.length === 1 ? behind[0]?.title : undefined;
  return {
    definition: {
      name,
      description,
      inputSchema: { ...input, type: 'object' },
      annotations: hints(
        title ?? name,
        behind.every(({ readOnly }) => readOnly),
      ),
    },
    exclusive: false,
    async call(given, { callTool }) {
      const why = typeof given.explanation === 'string' ? { explanation: given.explanation } : {};
      return resultOf(await callTool({ name, arguments: given, set, ...why }));
    },
  };
}
