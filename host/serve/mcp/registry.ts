import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { definitionOf, tools, type Tool } from '../../../bridge/protocol/index.ts';
import { callTool } from '../../env/index.ts';
import { picture, text } from './content.ts';
import type { Offer } from './offer.ts';

/**
 * The registry's tools. What they answer is text as a model reads it, and pictures.
 * @param structured results as objects as well, and their schemas: for programs. Several clients show a model nothing
 * but the object then, and drop text and pictures, so that is asked for.
 */
export function registryOffers(structured: boolean): Offer[] {
  return tools.map((tool) => offerOf(tool, structured));
}

function offerOf(tool: Tool, structured: boolean): Offer {
  return {
    definition: mcpDefinition(tool, structured),
    exclusive: false,
    async call(given, { sandbox, signal }): Promise<CallToolResult> {
      const answer = await callTool(sandbox, { name: tool.name, arguments: given }, signal);
      const { effect, evidence } = answer;
      return {
        content: [text(answer.text), ...answer.images.map(picture)],
        ...(structured && { structuredContent: answer.result as Record<string, unknown> }),
        _meta: { 'pwp/effect': effect, 'pwp/evidence': evidence },
      };
    },
  };
}

function mcpDefinition(tool: Tool, structured: boolean): McpTool {
  const { name, title, description, readOnly, input, output } = definitionOf(tool);
  return {
    name,
    title,
    description,
    inputSchema: { ...input, type: 'object' },
    ...(structured && { outputSchema: { ...output, type: 'object' as const } }),
    annotations: hints(title, readOnly),
  };
}

/** Everything happens in the sandbox, which reaches nothing else unless its task lets it. */
export function hints(title: string, readOnly: boolean): NonNullable<McpTool['annotations']> {
  return { title, readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false };
}
