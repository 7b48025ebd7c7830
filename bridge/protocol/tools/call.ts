import * as z from 'zod';
import { method } from '../descriptor.ts';
import { limits } from '../limits.ts';
import { toolFamilies } from './descriptor.ts';

const name = z.string().min(1).max(100);
const text = z.string().max(20_000);

/** A picture that belongs to a tool's answer. */
export const toolImage = z.object({
  mime: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml']),
  base64: z.base64().max(limits.toolImage),
  title: z.string().max(1000).describe('the elements that it shows'),
});
export type ToolImage = z.output<typeof toolImage>;

const jsonSchema = z.record(z.string(), z.unknown());

/** A tool for programs that don't have this project's descriptors. */
export const toolDefinition = z.object({
  name,
  title: text,
  description: text,
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
  call: method(
    'tool.call',
    z.object({
      name,
      arguments: z.record(z.string().max(200), z.unknown()).default({}),
      explanation: text.optional().describe('why the caller does this, for people who watch'),
    }),
    z.object({ result: z.unknown(), images: z.array(toolImage).max(limits.toolImages).default([]) }),
  ),
  /** Which tools are served here. */
  list: method(
    'tool.list',
    z.object({}),
    z.object({
      tools: z.array(toolDefinition).max(1000),
      missing: text.nullable().describe('why tools that run in the extension are missing; null if none is'),
    }),
  ),
};
