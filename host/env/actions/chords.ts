import { PwpError } from '../../../bridge/lib/index.ts';
import { readComputer } from './computer.ts';
import type { Action } from './types.ts';
import { parseXdotoolLine } from './xdotool.ts';

/**
 * The keys that an action presses at once, each in lower case, e.g. `ctrl+shift+p`. None for text, for other actions, and
 * for one that can't be read.
 */
export function chordsOf(action: Extract<Action, { kind: 'xdotool' | 'computer' }>): string[] {
  return inputOf(action)
    .flatMap((command) => (command.kind === 'key' && command.action === 'press' ? [command.keys] : []))
    .map((keys) => keys.join('+').toLowerCase());
}

function inputOf(action: Parameters<typeof chordsOf>[0]) {
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
