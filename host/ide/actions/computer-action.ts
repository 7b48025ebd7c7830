import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { readToolArguments } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { Action, ComputerCall, ComputerRead, PictureSize } from './action.ts';
import { anthropicActions } from './anthropic-actions.ts';
import { geminiActions } from './gemini-actions.ts';
import { badAction } from './line-words.ts';
import { openaiActions } from './openai-actions.ts';
import { parseXdotoolLine } from './xdotool.ts';

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
  if ('action' in given) return parseCall(anthropicActions, given, given['action']);
  if ('function' in given) return parseCall(geminiActions, given, given['function'])(size);
  return parseCall(openaiActions, given, given['type']);
}

/** Some models write null for fields that they omit. */
function withoutNulls(call: ComputerCall): ComputerCall {
  return Object.fromEntries(
    Object.entries(call).filter(([, value]) => value !== null && value !== undefined),
  );
}

function parseCall<T>(schema: z.ZodType<T>, call: ComputerCall, name: unknown): T {
  const read = readToolArguments(schema, call);
  if (read.success) return read.data;
  throw badAction(`bad computer action '${clip(String(name), 60)}'`, clip(z.prettifyError(read.error), 1000));
}

/**
 * The keys that an action presses at once, each in lower case, e.g. `ctrl+shift+p`. None for text, for other actions, and
 * for one that can't be read.
 */
export function collectChords(action: Extract<Action, { kind: 'xdotool' | 'computer' }>): string[] {
  return readInputCommands(action)
    .flatMap((command) => (command.kind === 'key' && command.action === 'press' ? [command.keys] : []))
    .map((keys) => keys.join('+').toLowerCase());
}

function readInputCommands(action: Parameters<typeof collectChords>[0]) {
  try {
    if (action.kind === 'xdotool')
      return parseXdotoolLine(action.line).flatMap((part) => ('input' in part ? part.input : []));
    const read = readComputer(action.call);
    return 'commands' in read ? read.commands : [];
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-action') return [];
    throw error;
  }
}
