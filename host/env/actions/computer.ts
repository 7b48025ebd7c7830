import * as z from 'zod';
import { clip } from '../../../bridge/lib/index.ts';
import { anthropicActions } from './anthropic.ts';
import { geminiActions } from './gemini.ts';
import { openaiActions } from './openai.ts';
import type { ComputerCall, ComputerRead, PictureSize } from './types.ts';
import { badAction } from './word.ts';

/**
 * Reads a computer action under Anthropic's names (`{action: 'left_click', coordinate: [x, y]}`), OpenAI's
 * (`{type: 'click', x, y, button: 'left'}`) or Gemini's (`{function: 'click', x, y}`, in thousandths of the picture). The
 * commands' coordinates are pixels of the picture. Errors: `bad-action`.
 * @param size of that picture; without it, Gemini's places stay thousandths
 */
export function readComputer(
  call: ComputerCall,
  size: PictureSize = { width: 1000, height: 1000 },
): ComputerRead {
  if ('action' in call) return parsed(anthropicActions, call, call['action']);
  if ('function' in call) return parsed(geminiActions, call, call['function'])(size);
  return parsed(openaiActions, call, call['type']);
}

function parsed<T>(schema: z.ZodType<T>, call: ComputerCall, name: unknown): T {
  const read = schema.safeParse(call);
  if (read.success) return read.data;
  throw badAction(`bad computer action '${clip(String(name), 60)}'`, clip(z.prettifyError(read.error), 1000));
}
