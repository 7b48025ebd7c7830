import type { Tool, ToolEffect } from './descriptor.ts';

/** A result as a model reads it. */
export function textOf<T extends Tool>(tool: T, result: unknown): string {
  return tool.text?.(result) ?? JSON.stringify(result, null, 2);
}

/** What a result proves. */
export function effectOf<T extends Tool>(tool: T, result: unknown): ToolEffect {
  if (tool.effect) return tool.effect(result);
  const [line = ''] = textOf(tool, result).split('\n', 1);
  return { effect: 'confirmed', evidence: `${tool.name} answered: ${line.slice(0, 200)}` };
}
