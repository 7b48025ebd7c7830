import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../../bridge/lib/index.ts';
import { definitionOf, tools, type Tool } from '../../../bridge/protocol/index.ts';
import { callTool, reportedCall, reportsOf, type ToolAnswer, type ToolCall } from '../../env/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { picture, text } from './content.ts';
import type { RegistryContext, ServedTool } from './served-tool.ts';

/**
 * The registry's tools. They return text as a model reads it, and pictures.
 * @param structured results as objects as well, with their schemas, for programs. Several clients then show a model only
 * the object and drop text and pictures, so this is off by default.
 */
export function registryTools(structured: boolean): ServedTool<RegistryContext>[] {
  return tools.map((tool) => servedTool(tool, structured));
}

/** The ones that a window answers by itself, without the argument for pictures, which a window can't take. */
export function windowTools(structured: boolean): ServedTool<RegistryContext>[] {
  return tools.filter(isOfWindow).map((tool) => {
    const served = servedTool(tool, structured);
    return tool.pictured ? { ...served, definition: withoutPicture(served.definition) } : served;
  });
}

export function isOfWindow({ where }: Tool): boolean {
  return where === 'extension';
}

function withoutPicture(definition: McpTool): McpTool {
  const { inputSchema } = definition;
  const properties = Object.entries(inputSchema.properties ?? {}).filter(([name]) => name !== 'picture');
  return { ...definition, inputSchema: { ...inputSchema, properties: Object.fromEntries(properties) } };
}

function servedTool(tool: Tool, structured: boolean): ServedTool<RegistryContext> {
  return {
    definition: mcpDefinition(tool, structured),
    exclusive: false,
    async call({ explanation, ...given }, context): Promise<CallToolResult> {
      const why = typeof explanation === 'string' ? { explanation } : {};
      const answer = await context.callTool({ name: tool.name, arguments: given, ...why });
      return {
        ...resultOf(answer),
        ...(structured && { structuredContent: answer.result as Record<string, unknown> }),
      };
    },
  };
}

/**
 * Calls a tool and reports it to the people who watch in the IDE, also if it failed; the answer does not wait for that.
 * Rejects as the call does.
 */
export async function callAndReport(
  call: ToolCall,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const reports = reportsOf(sandbox);
  try {
    const answer = await callTool(sandbox, call, { signal });
    reports.add(reportedCall({ call, answer, by: 'agent' }));
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    reports.add(reportedCall({ call, answer: { refusal: messageOf(error) }, by: 'agent' }));
    throw error;
  }
}

/** An answer as clients get it. */
export function resultOf({ text: words, images, effect, evidence }: ToolAnswer): CallToolResult {
  return {
    content: [text(words), ...images.map(picture)],
    _meta: { 'pwp/effect': effect, 'pwp/evidence': evidence },
  };
}

function mcpDefinition(tool: Tool, structured: boolean): McpTool {
  const { name, title, description, readOnly, input, output } = definitionOf(tool);
  const properties = { ...(input.properties as Record<string, object> | undefined), explanation };
  return {
    name,
    title,
    description,
    inputSchema: { ...input, type: 'object', properties },
    ...(structured && { outputSchema: { ...output, type: 'object' as const } }),
    annotations: hints(title, readOnly),
  };
}

/** Every tool except those of the screen takes it besides its own arguments. */
export const explanation = {
  type: 'string',
  maxLength: 20_000,
  description: 'the reason for this call, one sentence, for people who watch',
} as const;

/** Everything happens in the sandbox, which has no network unless its task allows one. */
export function hints(title: string, readOnly: boolean): NonNullable<McpTool['annotations']> {
  return { title, readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false };
}
