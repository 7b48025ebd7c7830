import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { explainArguments, findTool, readToolArguments } from '../../../bridge/protocol/index.ts';
import { omitUndefined } from '../../../bridge/text/index.ts';

export const longText = z.string().max(4_000_000);
export const pathText = z.string().max(4096);

/** A tool with the name and arguments of another harness. */
export interface SetTool {
  readonly name: string;
  readonly description: string;
  /** A strict object. */
  readonly input: z.ZodType;
  /** The tools of the registry that do its work, one per call, or why there is no such tool. */
  readonly to: { readonly tools: readonly string[] } | { readonly absent: string };
  /** Turns checked arguments into a call of one of these tools. Errors: `bad-action` for contradictory arguments. */
  translate(input: unknown): RegistryCall;
}

/** A tool of the registry and its arguments. */
type RegistryCall = readonly [tool: string, given: Readonly<Record<string, unknown>>];

/** Tools with the names and arguments that agents of another harness know. */
export interface ToolSet {
  readonly name: string;
  readonly tools: readonly SetTool[];
}

/** A tool of a set as programs and models see it. */
interface SetDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The registry's tools that answer, mostly one; empty if it is absent. */
  readonly answeredBy: readonly string[];
  /** Why it can't be called; null if it can. */
  readonly absent: string | null;
}

/** A tool that maps to one of the registry. `fields` are its arguments besides `explanation`, which each tool has. */
export function adaptTool<S extends z.ZodRawShape>(
  name: string,
  description: string,
  tool: string,
  fields: S,
  translate: (input: z.output<z.ZodObject<S>>) => Readonly<Record<string, unknown>>,
): SetTool {
  return routeTool(name, description, [tool], fields, (input) => [tool, translate(input)]);
}

/** A tool that maps to one of several of the registry, depending on its arguments. */
export function routeTool<S extends z.ZodRawShape>(
  name: string,
  description: string,
  tools: readonly string[],
  fields: S,
  translate: (input: z.output<z.ZodObject<S>>) => RegistryCall,
): SetTool {
  const input = z.strictObject({ ...fields, ...explanationField });
  return {
    name,
    description,
    input,
    to: { tools },
    translate: (given) => {
      const [tool, translated] = translate(given as z.output<z.ZodObject<S>>);
      return [tool, omitUndefined(translated)];
    },
  };
}

/** A tool of which only the name is known: a call returns the reason. */
export function absentTool(
  name: string,
  description: string,
  fields: z.ZodRawShape,
  absent: string,
): SetTool {
  const input = z.strictObject({ ...fields, ...explanationField });
  return { name, description, input, to: { absent }, translate: () => [name, {}] };
}

export function describeSetTool({ name, description, input, to }: SetTool): SetDefinition {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: 'input' });
  void $schema;
  const why = whyAbsent(to);
  return {
    name,
    description: why === null ? description : `${description} Absent here: ${why}`,
    input: schema,
    answeredBy: why === null && 'tools' in to ? to.tools : [],
    absent: why,
  };
}

/**
 * Translates a call of a set's tool into one of the registry's. Errors: `bad-action` for a name that the set does not
 * have, arguments that do not fit, and a tool that is absent.
 */
export function translateSetCall(
  set: ToolSet,
  name: string,
  given: Readonly<Record<string, unknown>>,
): { name: string; arguments: Readonly<Record<string, unknown>>; explanation: string | undefined } {
  const tool = set.tools.find((one) => one.name === name);
  if (!tool) {
    const names = set.tools.map((one) => one.name).join(', ');
    throw new PwpError('bad-action', `unknown tool ${name}; ${set.name} has ${names}`);
  }
  const why = whyAbsent(tool.to);
  if (why !== null) throw new PwpError('bad-action', `${name} is absent here: ${why}`);
  const checked = readToolArguments(tool.input, given);
  if (!checked.success)
    throw new PwpError(
      'bad-action',
      `tool ${name}: bad arguments: ${explainArguments(tool.input, checked.error)}`,
    );
  const { explanation } = checked.data as { readonly explanation?: string };
  const [registryName, translation] = tool.translate(checked.data);
  return { name: registryName, arguments: translation, explanation };
}

const explanationField = {
  explanation: z.string().max(20_000).optional().describe('one sentence: why this tool is used'),
};

function whyAbsent(to: SetTool['to']): string | null {
  if ('absent' in to) return to.absent;
  const missing = to.tools.find((name) => !findTool(name));
  return missing === undefined ? null : `this version has no tool ${missing}`;
}
