import * as z from 'zod';
import { plainCall } from './calls.ts';

const name = z
  .string()
  .regex(/^[^\p{Cc}]{1,100}$/u)
  .describe('for people, on one line');
const actorId = z.string().regex(/^[A-Za-z0-9._@:-]{1,100}$/);
const iso = z.iso.datetime();
const hold = z.string().min(1).max(100).describe('names a lease: a secret of its holder');
const why = z.string().max(500);
const revision = z.int().nonnegative();

export const person = z.object({ kind: z.literal('person'), id: actorId, name });
export const actor = z.object({ kind: z.enum(['agent', 'person']), id: actorId, name });

export const handOver = z.object({
  how: z.enum(['taken', 'given', 'revoked', 'expired', 'ended']),
  from: person.nullable(),
  by: actor.nullable(),
  at: iso,
});

/** The bounds of a lease's time to live, in milliseconds. */
export const leaseTtl = { leastMs: 1000, defaultMs: 60_000, mostMs: 600_000 } as const;
const ttlMs = z.number().min(leaseTtl.leastMs).max(leaseTtl.mostMs);

const leaseState = z.object({
  revision,
  holder: z
    .object({ actor: person, since: iso, leftMs: z.number().nonnegative(), ttlMs, letsWatch: z.boolean() })
    .nullable(),
  turns: z.int().nonnegative(),
  looked: z.int().nonnegative(),
  requests: z
    .array(z.object({ actor, why, at: iso }))
    .max(100)
    .readonly(),
  last: handOver.nullable(),
});

/** Who may act on a sandbox. The node's interface of this name documents each. */
export const leaseCalls = {
  state: plainCall({ result: leaseState }),
  changed: plainCall({ args: [revision], result: leaseState }),
  take: plainCall({
    args: [person],
    options: z.object({
      ttlMs: ttlMs.optional(),
      letWatch: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
    result: z.object({ hold, state: leaseState }),
  }),
  renew: plainCall({ args: [hold] }),
  letWatch: plainCall({ args: [hold, z.boolean()] }),
  giveBack: plainCall({ args: [hold] }),
  revoke: plainCall({ args: [actor] }),
  request: plainCall({ args: [actor, why] }),
  withdraw: plainCall({ args: [actorId] }),
  looked: plainCall({ args: [z.int().nonnegative()] }),
};

export const askedQuestion = z.object({
  from: actor,
  wants: z.enum(['answer', 'hands']),
  text: z.string().min(1).max(4000),
  choices: z.array(z.string().min(1).max(200)).max(10).readonly().optional(),
});

export const personAnswer = z.object({
  by: person,
  how: z.enum(['answered', 'done', 'declined']),
  text: z.string().max(10_000),
});

const openQuestions = z.object({
  revision,
  questions: z
    .array(askedQuestion.extend({ id: z.string().max(100), at: iso }))
    .max(100)
    .readonly(),
});

/** Requests of agents to the people who watch a sandbox. */
export const questionCalls = {
  open: plainCall({ result: openQuestions }),
  changed: plainCall({ args: [revision], result: openQuestions }),
  ask: plainCall({
    args: [askedQuestion],
    options: z.object({ timeoutMs: z.number().positive().max(86_400_000) }),
    result: personAnswer,
  }),
  answer: plainCall({ args: [z.string().max(100), personAnswer] }),
};
