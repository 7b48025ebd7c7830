import { clip } from '../../bridge/lib/index.ts';
/** A tool of the registry with its arguments. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The lines of a solution that are one step each. */
export function stepsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The calls of a solution of kind `tools`. Throws for any other line; whether a tool exists shows in the IDE. */
export function toolCallsOf({ text }: { readonly text: string }): WrittenCall[] {
  return stepsOf(text).map((line) => {
    const [, name = '', given = ''] = /^(\w+)\s+(\{.*\})$/.exec(line) ?? [];
    try {
      return { name, arguments: JSON.parse(given) as Readonly<Record<string, unknown>> };
    } catch (cause) {
      throw new Error(`expected a tool and its arguments in JSON, found ${clip(line, 200)}`, { cause });
    }
  });
}
