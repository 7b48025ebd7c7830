import * as z from 'zod';
import { readArguments } from '../../../bridge/protocol/index.ts';
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
  const given = withoutNulls(call);
  if ('action' in given) return parsed(anthropicActions, given, given['action']);
  if ('function' in given) return parsed(geminiActions, given, given['function'])(size);
  return parsed(openaiActions, given, given['type']);
}

/** Some models write null for fields that they omit. */
function withoutNulls(call: ComputerCall): ComputerCall {
  return Object.fromEntries(
    Object.entries(call).filter(([, value]) => value !== null && value !== undefined),
  );
}

function parsed<T>(schema: z.ZodType<T>, call: ComputerCall, name: unknown): T {
  const read = readArguments(schema, call);
  if (read.success) return read.data;
  throw badAction(`bad computer action '${clip(String(name), 60)}'`, clip(z.prettifyError(read.error), 1000));
}
