import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { limits } from '../connection.ts';
import { defineMethod } from '../descriptor.ts';
import { type Tool, type ToolEffect, toolFamilies } from './tool.ts';

const toolName = z.string().min(1).max(100);
const toolText = z.string().max(20_000);

/** A picture that belongs to a tool's answer. */
const toolImage = z.object({
  mime: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml']),
  base64: z.base64().max(limits.toolImage),
  title: z.string().max(1000).describe('the elements that it shows'),
});
export type ToolImage = z.output<typeof toolImage>;

const jsonSchema = z.record(z.string(), z.unknown());

/** A tool for programs that don't have this project's descriptors. */
const toolDefinition = z.object({
  name: toolName,
  title: toolText,
  description: toolText,
  family: z.enum(toolFamilies),
  readOnly: z.boolean(),
  input: jsonSchema.describe('JSON Schema of the arguments'),
  output: jsonSchema.describe('JSON Schema of the result'),
});
export type ToolDefinition = z.output<typeof toolDefinition>;

/** Tools, served by the bridge (all of them) and by the extension's own socket (those that run in the extension). */
export const toolMethods = {
  /**
   * Calls a tool. The result is checked against the tool's descriptor on both sides. A cancelled request is given up by
   * the tool as well. Errors: `Tool` with a reason of `toolErrorReasons`, `Unavailable` while there is no IDE window.
   */
  call: defineMethod(
    'tool.call',
    z.object({
      name: toolName,
      arguments: z.record(z.string().max(200), z.unknown()).default({}),
      explanation: toolText.optional().describe('why the caller does this, for people who watch'),
    }),
    z.object({ result: z.unknown(), images: z.array(toolImage).max(limits.toolImages).default([]) }),
  ),
  /** Which tools are served here. */
  list: defineMethod(
    'tool.list',
    z.object({}),
    z.object({
      tools: z.array(toolDefinition).max(1000),
      missing: toolText
        .nullable()
        .describe('why tools that run in the extension are missing; null if none is'),
    }),
  ),
};

const knownDefinitions = new WeakMap<Tool, ToolDefinition>();

/** A tool with its schemas as JSON Schema: for models, MCP, and programs in other languages. */
export function describeTool(tool: Tool): ToolDefinition {
  const known = knownDefinitions.get(tool);
  if (known) return known;
  const { name, title, description, family, readOnly } = tool;
  const input = dropZodKeys(z.toJSONSchema(tool.input, { io: 'input' }));
  const output = dropZodKeys(z.toJSONSchema(tool.output, { io: 'output' }));
  const definition = { name, title, description, family, readOnly, input, output };
  knownDefinitions.set(tool, definition);
  return definition;
}

/** Without the keys that zod adds for itself. */
function dropZodKeys(schema: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '~standard'),
  );
}

/** A result as a model reads it. A note at the end says what was left out, unless the tool's own text does. */
export function renderToolResult<T extends Tool>(tool: T, result: unknown): string {
  const text = renderOwnText(tool, result);
  const unsaid = listOmissions(result).filter(({ whole }) => renderOwnText(tool, whole) === text);
  return [text, ...unsaid.map(({ note }) => `[${note}]`)].filter((line) => line !== '').join('\n');
}

function renderOwnText(tool: Tool, result: unknown): string {
  return tool.text?.(result) ?? JSON.stringify(result, null, 2);
}

/** The notes for the fields that mark a result as incomplete, and the result as it would be if it was complete. */
function listOmissions(result: unknown): { note: string; whole: unknown }[] {
  const { truncated, omitted, clipped } = result as Readonly<Record<string, unknown>>;
  const whole = (field: Readonly<Record<string, unknown>>) => ({ ...(result as object), ...field });
  return [
    ...(truncated === true
      ? [{ note: 'this is not all: it was cut', whole: whole({ truncated: false }) }]
      : []),
    ...(isPositiveCount(omitted)
      ? [{ note: `${omitted} more are left out`, whole: whole({ omitted: 0 }) }]
      : []),
    ...(isPositiveCount(clipped)
      ? [{ note: `${clipped} values are cut`, whole: whole({ clipped: 0 }) }]
      : []),
  ];
}

function isPositiveCount(count: unknown): count is number {
  return typeof count === 'number' && count > 0;
}

/** The effect that a result proves. */
export function judgeToolResult<T extends Tool>(tool: T, result: unknown): ToolEffect {
  if (tool.effect) return tool.effect(result);
  const [line = ''] = renderToolResult(tool, result).split('\n', 1);
  const { incomplete = null } = result as { readonly incomplete?: string | null };
  const effect = incomplete === null ? 'confirmed' : 'partial';
  return { effect, evidence: `${tool.name} answered: ${clip(line, 200)}` };
}
