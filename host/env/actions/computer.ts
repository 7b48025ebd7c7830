import * as z from 'zod';
import { anthropicActions } from './anthropic.ts';
import { openaiActions } from './openai.ts';
import type { ComputerCall, ComputerRead } from './types.ts';
import { badAction } from './word.ts';

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
