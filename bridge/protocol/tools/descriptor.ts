import type * as z from 'zod';

/** What a tool is about; each family has a file of its own in this folder. */
export const toolFamilies = [
  'files',
  'search',
  'refactor',
  'run',
  'debug',
  'history',
  'view',
  'data',
  'profile',
  'ide',
] as const;
export type ToolFamily = (typeof toolFamilies)[number];

/** A name under which somebody else's agents know a tool that does this. */
export interface ToolSource {
  /** `IDE-Bench`: its 17 tools. `VS Code`: its own agent's tools. */
  readonly from: 'IDE-Bench' | 'VS Code';
  readonly name: string;
}

/** The outcome of a call, from what the tool itself has read back. */
export interface ToolEffect {
  readonly effect: 'confirmed' | 'partial' | 'no-effect';
  /** One line. */
  readonly evidence: string;
}

/**
 * One tool as data: what agents read about it, and the schemas that both sides check its arguments and its result with.
 * Its server adds a handler of the same types (`ToolHandlers.add`); nothing else needs to be changed.
 */
export interface Tool<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** snake_case, as agents write it. */
  readonly name: string;
  /** For people, e.g. on a button. */
  readonly title: string;
  /** For models: what it does, when to use it, units. */
  readonly description: string;
  readonly family: ToolFamily;
  /** Who serves it: the extension where the IDE itself is needed, else the bridge. */
  readonly where: 'extension' | 'bridge';
  /** It changes nothing: no file, no setting, nothing on the screen. */
  readonly readOnly: boolean;
  /** It only reads, but runs code of the workspace for that: e.g. tests are collected by running their files. */
  readonly runsCode?: true;
  readonly sources: readonly ToolSource[];
  /**
   * It shows something in the editor area: if the argument `picture` is true, the side that has the screen adds a
   * picture of it to the answer.
   */
  readonly pictured?: true;
  /** A strict object: an argument of another name is an error that names it. */
  readonly input: I;
  /** An object, bounded; where something was left out for that, it says so. */
  readonly output: O;
  /** The result as a model reads it. Default: the result as JSON. */
  text?(result: z.output<O>): string;
  /** What the result proves. Default: confirmed, by the first line of the text. */
  effect?(result: z.output<O>): ToolEffect;
}

/** What a caller passes: fields with a default may be left out. */
export type ToolArguments<T extends Tool> = z.input<T['input']>;
/** What a handler receives: defaults filled in. */
export type ToolInput<T extends Tool> = z.output<T['input']>;
/** What a caller receives. */
export type ToolOutput<T extends Tool> = z.output<T['output']>;

export function tool<I extends z.ZodType, O extends z.ZodType>(descriptor: Tool<I, O>): Tool<I, O> {
  return descriptor;
}
