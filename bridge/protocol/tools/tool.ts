import * as z from 'zod';

/** The family of a tool; each has its own file in this folder. */
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

/** The name of an equivalent tool of another project's agents. */
interface ToolSource {
  /** `IDE-Bench`: its 17 tools. `VS Code`: its own agent's tools. */
  readonly from: 'IDE-Bench' | 'VS Code';
  readonly name: string;
}

/** The outcome of a call, judged by what the tool itself has read back. */
export interface ToolEffect {
  readonly effect: 'confirmed' | 'partial' | 'no-effect';
  /** One line. */
  readonly evidence: string;
}

/**
 * One tool as data: its texts for agents, and the schemas with which both sides check its arguments and its result. Its
 * server adds a handler of the same types (`ToolHandlers.add`); nothing else needs to change.
 */
export interface Tool<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** snake_case, as agents write it. */
  readonly name: string;
  /** For people, e.g. on a button. */
  readonly title: string;
  /** For models: what it does, when to use it, units. */
  readonly description: string;
  readonly family: ToolFamily;
  /** Which side serves it: the extension if the tool needs the IDE itself, else the bridge. */
  readonly where: 'extension' | 'bridge';
  /** It changes nothing: no file, no setting, nothing on the screen. */
  readonly readOnly: boolean;
  /** It only reads, but runs code of the workspace to do so: e.g. collecting tests runs their files. */
  readonly runsCode?: true;
  readonly sources: readonly ToolSource[];
  /**
   * It shows something in the editor area: if the argument `picture` is true, the side that has the screen adds a
   * picture of it to the answer.
   */
  readonly pictured?: true;
  /** A strict object: an argument of another name is an error that names it. */
  readonly input: I;
  /** A bounded object, which says if something was left out. */
  readonly output: O;
  /** The result as a model reads it. Default: the result as JSON. */
  text?(result: z.output<O>): string;
  /** The effect that the result proves. Default: confirmed, by the first line of the text. */
  effect?(result: z.output<O>): ToolEffect;
}

/** A caller's input: fields with a default may be left out. */
export type ToolArguments<T extends Tool> = z.input<T['input']>;
/** A handler's input, with defaults filled in. */
export type ToolInput<T extends Tool> = z.output<T['input']>;
/** The result that a caller receives. */
export type ToolOutput<T extends Tool> = z.output<T['output']>;

export function defineTool<I extends z.ZodType, O extends z.ZodType>(descriptor: Tool<I, O>): Tool<I, O> {
  return descriptor;
}

/** A path in a caller's arguments. */
export const pathArgument = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes('\0'), 'a path must not contain a zero byte')
  .describe('path in the workspace: relative to its first folder, or absolute');

/** A path in a tool's result. */
export const resultPath = z
  .string()
  .max(8192)
  .describe("relative to the workspace's first folder, with `/`; absolute if it is in another folder");

/** 1 for the first line. */
export const lineNumber = z.int().positive().max(100_000_000);

/** Identifies a text: the same text has the same version, saved or not. */
export const textVersion = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .describe('identifies the text: pass it as expected_version to be sure that the text is unchanged');

/** The file must not have changed since it was read. */
export const expectedVersion = textVersion
  .optional()
  .describe('the version of the file when it was read: if it differs now, the call fails with stale-version');

/** 1 for the first character of a line. */
export const columnNumber = z
  .int()
  .positive()
  .max(10_000_000)
  .describe('1 for the first character of the line, in UTF-16 code units');
