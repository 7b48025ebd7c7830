import * as z from 'zod';
import type { ToolDefinition } from './call.ts';
import type { Tool } from './descriptor.ts';

const made = new WeakMap<Tool, ToolDefinition>();

/** A tool with its schemas as JSON Schema: for models, MCP, and programs in other languages. */
export function definitionOf(tool: Tool): ToolDefinition {
  const known = made.get(tool);
  if (known) return known;
  const { name, title, description, family, readOnly } = tool;
  const input = plain(z.toJSONSchema(tool.input, { io: 'input' }));
  const output = plain(z.toJSONSchema(tool.output, { io: 'output' }));
  const definition = { name, title, description, family, readOnly, input, output };
  made.set(tool, definition);
  return definition;
}

/** Without the keys that zod adds for itself. */
function plain(schema: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '~standard'),
  );
}
