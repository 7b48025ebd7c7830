import * as z from 'zod';

/** A point in screen pixels, origin at the top left of the X screen. Page and screen coordinates are equal in kiosk mode. */
export const screenPoint = z.object({ x: z.number(), y: z.number() });
export type Point = z.output<typeof screenPoint>;

/** A rectangle in screen pixels; width and height are positive. */
export const screenBox = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().nonnegative(),
  height: z.number().nonnegative(),
});
export type Box = z.output<typeof screenBox>;

const clearModifiers = z.boolean().exactOptional();
const delayMs = z.number().nonnegative().max(60_000);

/** Input commands on the wire; the node's own type of this name documents each. Screen pixels. */
export const inputCommand = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('move'),
    x: z.number(),
    y: z.number(),
    relative: z.boolean(),
    clearModifiers,
  }),
  z.object({
    kind: z.literal('button'),
    button: z.int(),
    action: z.enum(['click', 'down', 'up']),
    repeat: z.int(),
    delayMs,
    clearModifiers,
  }),
  z.object({
    kind: z.literal('key'),
    keys: z.array(z.string().max(100)).max(100).readonly(),
    action: z.enum(['press', 'down', 'up']),
    delayMs,
    clearModifiers,
  }),
  z.object({ kind: z.literal('type'), text: z.string().max(10_000_000), delayMs, clearModifiers }),
  z.object({ kind: z.literal('locate') }),
  z.object({ kind: z.literal('sleep'), ms: z.number().nonnegative() }),
  z.object({ kind: z.literal('release') }),
  z.object({ kind: z.literal('flush') }),
]);
