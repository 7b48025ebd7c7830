import { findTool } from '../../../bridge/protocol/index.ts';
import { setDefinition, toolSet, type SetTool } from '../../env/index.ts';
import type { ServedTool } from './served-tool.ts';
import { hints, resultOf, callAndReport } from './registry.ts';

/** The tools of a set, under its names and with its arguments. Errors: `bad-action` for an unknown set. */
export function setTools(set: string): ServedTool[] {
  return toolSet(set).tools.map((tool) => servedTool(set, tool));
}

function servedTool(set: string, tool: SetTool): ServedTool {
  const { name, description, input, answeredBy } = setDefinition(tool);
  const behind = answeredBy.flatMap((one) => findTool(one) ?? []);
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
    async call(given, context) {
      const why = typeof given.explanation === 'string' ? { explanation: given.explanation } : {};
      return resultOf(await callAndReport({ name, arguments: given, set, ...why }, context));
    },
  };
}
