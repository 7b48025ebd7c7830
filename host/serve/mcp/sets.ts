import { findTool } from '../../../bridge/protocol/index.ts';
import { setDefinition, toolSet, type SetTool } from '../../env/index.ts';
import type { ServedTool } from './served-tool.ts';
import { hints, resultOf, callAndReport } from './registry.ts';

/** The tools of a set, under its names and with its arguments. Errors: `bad-action` for an unknown set. */
export function setTools(set: string): ServedTool[] {
  return toolSet(set).tools.map((tool) => servedTool(set, tool));
}

function servedTool(set: string, tool: SetTool): ServedTool {
  const { name, description, input, tool: ours } = setDefinition(tool);
  const behind = ours === null ? undefined : findTool(ours);
  return {
    definition: {
      name,
      description,
      inputSchema: { ...input, type: 'object' },
      annotations: hints(behind?.title ?? name, behind?.readOnly ?? true),
    },
    exclusive: false,
    async call(given, context) {
      const why = typeof given.explanation === 'string' ? { explanation: given.explanation } : {};
      return resultOf(await callAndReport({ name, arguments: given, set, ...why }, context));
    },
  };
}
