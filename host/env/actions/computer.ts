import * as z from 'zod';
import type { InputCommand } from '../../node/index.ts';
import { anthropicActions } from './anthropic.ts';
import { openaiActions } from './openai.ts';
import { badAction } from './word.ts';

/** A model's computer action as its vendor writes it; Anthropic's have `action`, OpenAI's `type`. */
export type ComputerCall = Readonly<Record<string, unknown>>;

/** What an action comes to. */
export interface ComputerRead {
  /** The action's own name, e.g. `left_click`. */
  readonly name: string;
  readonly commands: readonly InputCommand[];
  /** It asks for nothing but a look, and every step ends with one. */
  readonly look: boolean;
  /** It asks for this part of the screen, pixel for pixel. */
  readonly zoom?: Corners;
}

/** Left, top, right and bottom edge of a part of the agent's picture, in its pixels. */
export type Corners = readonly [left: number, top: number, right: number, bottom: number];

/**
 * Reads a computer action under Anthropic's names (`{action: 'left_click', coordinate: [x, y]}`) or OpenAI's
 * (`{type: 'click', x, y, button: 'left'}`). Coordinates are screen pixels. Errors: `bad-action`.
 */
export function readComputer(call: ComputerCall): ComputerRead {
  const [key, schema] =
    'action' in call ? (['action', anthropicActions] as const) : (['type', openaiActions] as const);
  const read = schema.safeParse(call);
  if (!read.success) {
    const name = String(call[key]).slice(0, 60);
    throw badAction(`bad computer action '${name}'`, z.prettifyError(read.error).slice(0, 1000));
  }
  return read.data;
}
