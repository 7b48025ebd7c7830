import { clip } from '../../text/index.ts';
import type { Tool, ToolEffect } from './descriptor.ts';

/** A result as a model reads it. A note at the end says what was left out, unless the tool's own text does. */
export function textOf<T extends Tool>(tool: T, result: unknown): string {
  const text = ownText(tool, result);
  const unsaid = lacks(result).filter(({ whole }) => ownText(tool, whole) === text);
  return [text, ...unsaid.map(({ note }) => `[${note}]`)].filter((line) => line !== '').join('\n');
}

function ownText(tool: Tool, result: unknown): string {
  return tool.text?.(result) ?? JSON.stringify(result, null, 2);
}

/** The notes for the fields that mark a result as incomplete, and the result as it would be if it was complete. */
function lacks(result: unknown): { note: string; whole: unknown }[] {
  const { truncated, omitted, clipped } = result as Readonly<Record<string, unknown>>;
  const whole = (field: Readonly<Record<string, unknown>>) => ({ ...(result as object), ...field });
  return [
    ...(truncated === true
      ? [{ note: 'this is not all: it was cut', whole: whole({ truncated: false }) }]
      : []),
    ...(isSome(omitted) ? [{ note: `${omitted} more are left out`, whole: whole({ omitted: 0 }) }] : []),
    ...(isSome(clipped) ? [{ note: `${clipped} values are cut`, whole: whole({ clipped: 0 }) }] : []),
  ];
}

function isSome(count: unknown): count is number {
  return typeof count === 'number' && count > 0;
}

/** The effect that a result proves. */
export function effectOf<T extends Tool>(tool: T, result: unknown): ToolEffect {
  if (tool.effect) return tool.effect(result);
  const [line = ''] = textOf(tool, result).split('\n', 1);
  const { incomplete = null } = result as { readonly incomplete?: string | null };
  const effect = incomplete === null ? 'confirmed' : 'partial';
  return { effect, evidence: `${tool.name} answered: ${clip(line, 200)}` };
}
