import type { FunctionCall } from './model.ts';

type Given = Pick<FunctionCall, 'arguments' | 'written'>;

/** The arguments of a call where a vendor gives an object. */
export function objectOf(value: unknown): Given {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { arguments: value as Readonly<Record<string, unknown>> };
  return { arguments: null, written: JSON.stringify(value) ?? '' };
}

/** The same where it gives JSON as the model wrote it. An empty text is an empty object. */
export function parsedObject(text: string): Given {
  if (text.trim() === '') return { arguments: {} };
  try {
    const given = objectOf(JSON.parse(text));
    return given.arguments ? given : { arguments: null, written: text };
  } catch {
    return { arguments: null, written: text };
  }
}
