import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import type { Action } from '../../../env/index.ts';
import { hints } from '../registry.ts';
import type { CallContext, Offer } from '../offer.ts';
import { pictureWanted, stepped } from './answer.ts';

interface Words {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For models. */
  readonly description: string;
}

interface Look<S extends z.ZodRawShape> extends Words {
  readonly fields: S;
  readonly look: (given: z.output<z.ZodObject<S>>, context: CallContext) => Promise<CallToolResult>;
}

interface Deed<S extends z.ZodRawShape> extends Words {
  /** It can't change anything. Default false. */
  readonly readOnly?: true;
  readonly fields: S;
  /** What is done, in order. */
  readonly actions: (given: z.output<z.ZodObject<S>>) => readonly (string | Action)[];
}

/** A tool that looks at the screen and nothing else. */
export function looking<S extends z.ZodRawShape>({ fields, look, ...words }: Look<S>): Offer {
  const schema = z.strictObject(fields);
  return offer(words, true, schema, (given, context) => look(read(words.name, schema, given), context));
}

/** A tool that acts: it answers with the effect, why the IDE counts as settled, and a picture where one is wanted. */
export function acting<S extends z.ZodRawShape>({ fields, actions, readOnly, ...words }: Deed<S>): Offer {
  const own = z.strictObject(fields);
  const schema = z.strictObject({ ...fields, screenshot: pictureWanted });
  return offer(words, readOnly ?? false, schema, async (given, context) => {
    const { screenshot, ...rest } = given;
    const wanted = read(words.name, z.object({ screenshot: pictureWanted }), { screenshot });
    return stepped(actions(read(words.name, own, rest)), wanted.screenshot, context);
  });
}

function offer(words: Words, readOnly: boolean, schema: z.ZodType, call: Offer['call']): Offer {
  const { properties, required } = z.toJSONSchema(schema, { io: 'input' }) as Partial<McpTool['inputSchema']>;
  const inputSchema = { type: 'object', properties, required, additionalProperties: false } as const;
  return {
    definition: { ...words, inputSchema, annotations: hints(words.title, readOnly) },
    exclusive: true,
    call,
  };
}

function read<T extends z.ZodType>(name: string, schema: T, given: unknown): z.output<T> {
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  throw new PwpError('bad-action', `${name}: bad arguments: ${z.prettifyError(checked.error)}`);
}
