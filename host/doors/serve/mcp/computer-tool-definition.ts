import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { explainArguments, readToolArguments } from '../../../../bridge/protocol/index.ts';
import {
  type Action,
  annotate,
  marksText,
  type Observation,
  outcomeText,
  stepText,
} from '../../../ide/index.ts';
import { imageContent, type McpContent, pictureContent, textContent } from './results.ts';
import { type CallContext, type ServedTool, toolHints } from './tool-definitions.ts';

interface ComputerToolTexts {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For models. */
  readonly description: string;
}

interface LookingTool<S extends z.ZodRawShape> extends ComputerToolTexts {
  readonly fields: S;
  readonly look: (given: z.output<z.ZodObject<S>>, context: CallContext) => Promise<CallToolResult>;
}

interface ActingTool<S extends z.ZodRawShape> extends ComputerToolTexts {
  /** It can't change anything. Default false. */
  readonly readOnly?: true;
  readonly fields: S;
  /** Whether a batch continues if its text did not land. Default: it stops. */
  readonly force?: (given: z.output<z.ZodObject<S>>) => boolean;
  /** The actions, in order. */
  readonly actions: (given: z.output<z.ZodObject<S>>) => readonly (string | Action)[];
}

/** A tool that only looks at the screen. */
export function defineLookingTool<S extends z.ZodRawShape>({
  fields,
  look,
  ...texts
}: LookingTool<S>): ServedTool {
  const schema = z.strictObject(fields);
  return serveComputerTool(texts, true, schema, (given, context) =>
    look(readToolInput(texts.name, schema, given), context),
  );
}

/** A tool that acts: it returns the effect, why the IDE counts as settled, and a picture if requested. */
export function defineActingTool<S extends z.ZodRawShape>({
  fields,
  actions,
  force,
  readOnly,
  ...texts
}: ActingTool<S>): ServedTool {
  const own = z.strictObject(fields);
  const schema = z.strictObject({ ...fields, screenshot: pictureChoice });
  return serveComputerTool(texts, readOnly ?? false, schema, async (given, context) => {
    const { screenshot, ...rest } = given;
    const wanted = readToolInput(texts.name, z.object({ screenshot: pictureChoice }), { screenshot });
    const input = readToolInput(texts.name, own, rest);
    return stepAndAnswer(actions(input), wanted.screenshot, context, force?.(input));
  });
}

function serveComputerTool(
  texts: ComputerToolTexts,
  readOnly: boolean,
  schema: z.ZodType,
  call: ServedTool['call'],
): ServedTool {
  const { properties, required } = z.toJSONSchema(schema, { io: 'input' }) as Partial<McpTool['inputSchema']>;
  const inputSchema = { type: 'object', properties, required, additionalProperties: false } as const;
  return {
    definition: { ...texts, inputSchema, annotations: toolHints(texts.title, readOnly) },
    exclusive: true,
    call,
  };
}

function readToolInput<S extends z.ZodRawShape>(
  name: string,
  schema: z.ZodObject<S>,
  given: Readonly<Record<string, unknown>>,
): z.output<z.ZodObject<S>> {
  const checked = readToolArguments(schema, acceptCoordinates(schema, given));
  if (checked.success) return checked.data;
  throw new PwpError('bad-action', `${name}: bad arguments: ${explainArguments(schema, checked.error)}`);
}

/** Tools of other servers take the place as `x` and `y`. */
function acceptCoordinates({ shape }: z.ZodObject, given: Readonly<Record<string, unknown>>) {
  const { x, y, ...rest } = given;
  const isMeant = 'coordinate' in shape && rest['coordinate'] === undefined && x !== undefined;
  return isMeant && y !== undefined ? { ...rest, coordinate: [x, y] } : given;
}

const pixelField = z.int().nonnegative().max(32_767);

/** Two numbers as an array, not as a tuple: several model interfaces refuse a tuple's schema. */
export const coordinateField = z.array(pixelField).length(2).describe('[x, y] in screen pixels');

export const markField = z
  .int()
  .positive()
  .describe(
    'number of a mark of the newest observation: from computer_marks, or from a screenshot with marks',
  );

/** The first target of the pointer: a mark, a position, or, without either, none. */
export const pointerFields = { mark: markField.optional(), coordinate: coordinateField.optional() };

export const heldKeysField = z
  .string()
  .max(100)
  .optional()
  .describe('keys to hold down meanwhile, e.g. ctrl or ctrl+shift');

export const secondsField = z.number().nonnegative().max(60);

interface PointerTarget {
  readonly mark?: number | undefined;
  readonly coordinate?: readonly number[] | undefined;
}

/** A vendor's computer action at a position. For a mark, the pointer first moves to its current place. */
export function actAtTarget(
  { mark: id, coordinate: xy }: PointerTarget,
  call: Readonly<Record<string, unknown>>,
): readonly Action[] {
  if (id !== undefined && xy !== undefined)
    throw new PwpError('bad-action', 'give either a mark or a coordinate, not both');
  if (id === undefined) return [makeComputerAction({ ...call, ...(xy && { coordinate: xy }) })];
  return [{ kind: 'mark', verb: 'hover', mark: id }, makeComputerAction(call)];
}

/** A vendor's computer action. */
export function makeComputerAction(call: Readonly<Record<string, unknown>>): Action {
  return { kind: 'computer', call };
}

export const pictureChoice = z
  .enum(['none', 'screen', 'marks'])
  .default('none')
  .describe(
    'add the screen afterwards as an image: plain, or with its marks drawn in and listed. Ask for it only if you need it: it is the most expensive part of an answer',
  );
type PictureChoice = z.output<typeof pictureChoice>;

/** Acts, settles, observes, and returns the outcome. A refused action makes the result an error. */
async function stepAndAnswer(
  actions: readonly (string | Action)[],
  wanted: PictureChoice,
  { session, signal }: CallContext,
  force = false,
): Promise<CallToolResult> {
  const { observation, info } = await session.step(actions, { force, signal });
  const { outcomes, settled } = info;
  // The changes of marks are left out if all marks are listed.
  const words = wanted === 'marks' ? outcomeText : stepText;
  const images = outcomes.flatMap((outcome) => (outcome.images ?? []).map(pictureContent));
  const effects = outcomes.map(({ effect, evidence }) => ({ effect, evidence }));
  return {
    content: [
      textContent(words(observation, info)),
      ...images,
      ...(await renderScreenContents(observation, wanted)),
    ],
    isError: outcomes.some(({ effect }) => effect === 'refused'),
    _meta: { 'pwp/effects': effects, 'pwp/settled': settled, 'pwp/observation': observation.number },
  };
}

/** The screen of an observation, in the requested form. */
export async function renderScreenContents(
  observation: Observation,
  wanted: PictureChoice,
): Promise<McpContent[]> {
  const { screen, marks } = observation;
  if (wanted === 'none') return [];
  if (wanted === 'screen') return [imageContent(screen)];
  return [textContent(marksText(observation)), imageContent(await annotate(screen, marks))];
}
