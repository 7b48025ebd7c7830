import { parseXdotoolLine } from '../../host/ide/actions/xdotool.ts';
import type { InputCommand } from '../../host/node/index.ts';

/** The input commands of a line that needs no xdotool program. Errors: `bad-action`. */
export function inputOf(line: string): InputCommand[] {
  return parseXdotoolLine(line).flatMap((part) => {
    if ('input' in part) return part.input;
    throw new Error(`only the xdotool program has ${part.binary.join(' ')}`);
  });
}
