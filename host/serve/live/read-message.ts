import * as z from 'zod';
import type { ToServer } from '../page/index.ts';

/** The maximum length of pasted text, in UTF-16 code units. */
export const longestPaste = 1_000_000;
/** The same for an answer or a reason. */
const longestAnswer = 10_000;
const longestReason = 500;
/** More pixels than any screen has: places off the screen are moved to its edge. */
const furthest = 100_000;
/** Turns of the wheel in one message. */
const mostTurns = 50;

const place = { x: z.number().min(-furthest).max(furthest), y: z.number().min(-furthest).max(furthest) };
const turns = z.int().min(-mostTurns).max(mostTurns);
const modifier = z.enum(['shift', 'ctrl', 'alt', 'meta']);

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('move'), ...place }),
  z.object({ type: z.literal('button'), button: z.int().min(0).max(4), down: z.boolean(), ...place }),
  z.object({ type: z.literal('wheel'), across: turns, down: turns, ...place }),
  z.object({
    type: z.literal('key'),
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    held: z.array(modifier).max(4),
    altGraph: z.boolean(),
  }),
  z.object({ type: z.literal('modifier'), modifier, down: z.boolean() }),
  z.object({ type: z.literal('text'), text: z.string().min(1).max(longestAnswer) }),
  z.object({ type: z.literal('paste'), text: z.string().min(1).max(longestPaste), shift: z.boolean() }),
  z.object({ type: z.literal('copy'), cut: z.boolean(), shift: z.boolean() }),
  z.object({ type: z.literal('release') }),
  z.object({ type: z.literal('next'), after: z.int().nonnegative().nullable() }),
  z.object({ type: z.literal('hear'), on: z.boolean() }),
  z.object({ type: z.literal('take'), force: z.boolean(), pause: z.boolean() }),
  z.object({ type: z.literal('give') }),
  z.object({ type: z.literal('ask'), why: z.string().max(longestReason) }),
  z.object({ type: z.literal('withdraw') }),
  z.object({ type: z.literal('let-watch'), on: z.boolean() }),
  z.object({ type: z.literal('private'), on: z.boolean() }),
  z.object({ type: z.literal('say'), text: z.string().min(1).max(longestAnswer) }),
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('end') }),
  z.object({
    type: z.literal('answer'),
    id: z.string().min(1).max(100),
    how: z.enum(['answered', 'done', 'declined']),
    text: z.string().max(longestAnswer),
  }),
]);

/** A message of a page; undefined if it is unknown. */
export function readMessage(text: string): ToServer | undefined {
  try {
    return message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
