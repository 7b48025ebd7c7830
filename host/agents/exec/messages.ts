import * as z from 'zod';
import type { Action, Observation, StepInfo } from '../../env/index.ts';
import { actionText } from '../../env/index.ts';
import type { FunctionTool } from '../../models/index.ts';
import type { EpisodeLimits } from '../agent.ts';

/** Version of the protocol. docs/agents.md has an example of it. */
export const execProtocol = 1;

const tool = z.strictObject({
  tool: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const computer = z.strictObject({
  computer: z.record(z.string(), z.unknown()).describe("a computer action in a vendor's words"),
});

const id = z
  .int()
  .positive()
  .optional()
  .describe('of the message that it answers; answers to earlier messages are skipped');

/** The part of a line that names the message it answers. */
export const numbered = z.object({ id });

/** The program's first message. */
export const ready = z.strictObject({
  id,
  protocol: z.literal(execProtocol),
  picture: z
    .enum(['path', 'base64', 'none'])
    .default('path')
    .describe('how it is given the screen: a PNG file that lasts until the next one, or its bytes'),
});
export type Ready = z.output<typeof ready>;

/** Its answer to an observation. */
export const answer = z.strictObject({
  id,
  actions: z
    .array(z.union([z.string().max(200_000), tool, computer]))
    .max(100)
    .default([])
    .describe('in order; a text is an xdotool line, or one as `click [12]`'),
  done: z.boolean().default(false).describe('it has finished, once these actions are done'),
  message: z.string().max(100_000).optional().describe('why, in its own words; for the record'),
  usage: z
    .strictObject({
      model: z.string().max(200).optional(),
      prompt_tokens: z.int().nonnegative().optional(),
      completion_tokens: z.int().nonnegative().optional(),
      cached_tokens: z.int().nonnegative().optional(),
      cost_usd: z.number().nonnegative().optional(),
      model_ms: z.number().nonnegative().optional(),
    })
    .optional()
    .describe('usage of its model for this answer, if it asked one'),
});
export type Answer = z.output<typeof answer>;

/** The actions of an answer as the environment takes them. */
export function actionsOf({ actions }: Answer): (string | Action)[] {
  return actions.map((one) => {
    if (typeof one === 'string') return one;
    if ('tool' in one) return { kind: 'tool', name: one.tool, arguments: one.arguments };
    return { kind: 'computer', call: one.computer };
  });
}

/** The first message to it. */
export interface Start {
  readonly task: string;
  readonly instruction: string;
  readonly limits: EpisodeLimits;
  /** The time limit for one answer, in milliseconds. */
  readonly answerMs: number;
  readonly screen: Observation['screen'];
  readonly tools: readonly FunctionTool[];
}

export function startOf({ task, instruction, limits, answerMs, screen, tools }: Start): object {
  const { steps, ms, tokens, costUsd } = limits;
  const { width, height } = screen.view ?? screen;
  const seconds = { seconds: ms / 1000, answer_seconds: answerMs / 1000 };
  return {
    ...{ type: 'start', protocol: execProtocol, task, instruction },
    ...{ limits: { steps, ...seconds, tokens, cost_usd: costUsd }, screen: { width, height } },
    tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
  };
}

/** The parts of an observation that are sent besides the picture. Coordinates are pixels of that picture. */
export function observed(observation: Observation): object {
  const { number, title, focus, caret, marks, dialog, unread = [], screen } = observation;
  const { width, height } = screen.view ?? screen;
  return { number, width, height, title, focus, caret, dialog: dialog ?? null, marks, unread };
}

/** Events of VS Code before these, if known. */
export function meanwhileOf(last: StepInfo | undefined): object {
  return last?.meanwhile === undefined ? {} : { meanwhile: last.meanwhile };
}

/** The outcomes of the actions before; empty at first. */
export function outcomesOf(last: StepInfo | undefined): object[] {
  return (last?.outcomes ?? []).map(({ action, effect, evidence, output }) => ({
    ...{ action: actionText(action), effect, evidence },
    ...(output !== undefined && { output }),
  }));
}
