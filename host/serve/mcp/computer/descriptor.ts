import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { explainArguments, readArguments } from '../../../../bridge/protocol/index.ts';
import { PwpError } from '../../../../bridge/lib/index.ts';
import type { Action } from '../../../env/index.ts';
import { hints } from '../registry.ts';
import type { CallContext, ServedTool } from '../served-tool.ts';
import { pictureWanted, stepped } from './answer.ts';

interface ToolTexts {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For models. */
  readonly description: string;
}

interface LookingTool<S extends z.ZodRawShape> extends ToolTexts {
  readonly fields: S;
  readonly look: (given: z.output<z.ZodObject<S>>, context: CallContext) => Promise<CallToolResult>;
}

interface ActingTool<S extends z.ZodRawShape> extends ToolTexts {
  /** It can't change anything. Default false. */
  readonly readOnly?: true;
  readonly fields: S;
  /** Whether a batch continues if its text did not land. Default: it stops. */
  readonly force?: (given: z.output<z.ZodObject<S>>) => boolean;
  /** The actions, in order. */
  readonly actions: (given: z.output<z.ZodObject<S>>) => readonly (string | Action)[];
}

/** A tool that only looks at the screen. */
export function lookingTool<S extends z.ZodRawShape>({ fields, look, ...texts }: LookingTool<S>): ServedTool {
  const schema = z.strictObject(fields);
  return servedTool(texts, true, schema, (given, context) => look(read(texts.name, schema, given), context));
}

/** A tool that acts: it returns the effect, why the IDE counts as settled, and a picture if requested. */
export function actingTool<S extends z.ZodRawShape>({
  fields,
  actions,
  force,
  readOnly,
  ...texts
}: ActingTool<S>): ServedTool {
  const own = z.strictObject(fields);
  const schema = z.strictObject({ ...fields, screenshot: pictureWanted });
  return servedTool(texts, readOnly ?? false, schema, async (given, context) => {
    const { screenshot, ...rest } = given;
    const wanted = read(texts.name, z.object({ screenshot: pictureWanted }), { screenshot });
    const input = read(texts.name, own, rest);
    return stepped(actions(input), wanted.screenshot, context, force?.(input));
  });
}

function servedTool(
  texts: ToolTexts,
  readOnly: boolean,
  schema: z.ZodType,
  call: ServedTool['call'],
): ServedTool {
  const { properties, required } = z.toJSONSchema(schema, { io: 'input' }) as Partial<McpTool['inputSchema']>;
  const inputSchema = { type: 'object', properties, required, additionalProperties: false } as const;
  return {
    definition: { ...texts, inputSchema, annotations: hints(texts.title, readOnly) },
    exclusive: true,
    call,
  };
}

function read<S extends z.ZodRawShape>(
  name: string,
  schema: z.ZodObject<S>,
  given: Readonly<Record<string, unknown>>,
): z.output<z.ZodObject<S>> {
  const checked = readArguments(schema, withCoordinate(schema, given));
  if (checked.success) return checked.data;
  throw new PwpError('bad-action', `${name}: bad arguments: ${explainArguments(schema, checked.error)}`);
}

/** Tools of other servers take the place as `x` and `y`. */
function withCoordinate({ shape }: z.ZodObject, given: Readonly<Record<string, unknown>>) {
  const { x, y, ...rest } = given;
  const isMeant = 'coordinate' in shape && rest['coordinate'] === undefined && x !== undefined;
  return isMeant && y !== undefined ? { ...rest, coordinate: [x, y] } : given;
}
