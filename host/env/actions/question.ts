import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { askedQuestion } from '../../../bridge/protocol/index.ts';
import type { PersonQuestion } from './types.ts';

/** An agent's question to the people beside it, as models write it. */
export const personQuestion = askedQuestion.pick({ text: true, choices: true }).extend({
  text: askedQuestion.shape.text.describe('the question, or what is to be done by hand'),
  wants: askedQuestion.shape.wants
    .default('answer')
    .describe('answer: an answer in words; hands: to do something by hand in the IDE'),
  choices: askedQuestion.shape.choices.describe('answers to choose from'),
  timeout: z.number().min(1).max(3600).default(600).describe('seconds to wait for the answer'),
});

/** Errors: `bad-action` for one that is empty or too long. */
export function checkedQuestion({ text, wants, choices, timeout }: PersonQuestion): PersonQuestion {
  const checked = personQuestion.safeParse({ text, wants, choices, timeout });
  if (checked.success) return checked.data;
  throw new PwpError('bad-action', `bad question: ${z.prettifyError(checked.error)}`);
}
