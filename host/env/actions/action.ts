import { messageOf } from '../../../bridge/lib/index.ts';
import { readComputer } from './computer.ts';
import { tokenize } from './tokens.ts';
import type { Action, ComputerCall, MarkVerb } from './types.ts';
import { badAction } from './word.ts';
import { parseXdotoolLine } from './xdotool.ts';

const markLine = /^(click|double_click|right_click|hover)\s*\[\s*(\d{1,9})\s*\]$/;

/**
 * Reads one line of an agent: an xdotool line, a mark such as `click [12]`, a vendor's computer action as JSON, or the
 * answer to a dialog, `dialog accept 'text'` or `dialog dismiss`. The line is checked to its end, so
 * that an action which is returned can be played. Errors: `bad-action`, which names the word and its column.
 */
export function parseAction(line: string): Action {
  const trimmed = line.trim();
  const mark = markLine.exec(trimmed);
  if (mark !== null) return { kind: 'mark', verb: mark[1] as MarkVerb, mark: Number(mark[2]) };
  if (/^xdotool(\s|$)/.test(trimmed)) {
    parseXdotoolLine(trimmed);
    return { kind: 'xdotool', line: trimmed };
  }
  if (trimmed.startsWith('{')) return computerAction(trimmed);
  if (/^dialog(\s|$)/.test(trimmed)) return dialogAction(trimmed);
  const start = trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed;
  throw badAction(
    `no action: '${start}'`,
    'Expected an xdotool line, click, double_click, right_click or hover with a mark, e.g. click [12], a computer action as JSON, or dialog accept.',
  );
}

function computerAction(line: string): Action {
  let call: unknown;
  try {
    call = JSON.parse(line);
  } catch (error) {
    throw badAction('a computer action that is no JSON', messageOf(error));
  }
  readComputer(call as ComputerCall);
  return { kind: 'computer', call: call as ComputerCall };
}

function dialogAction(line: string): Action {
  const [, verb, text, ...rest] = tokenize(line).flat();
  const expected = "Expected dialog accept, dialog accept 'text', or dialog dismiss.";
  if (rest.length > 0 || (verb?.text !== 'accept' && (verb?.text !== 'dismiss' || text !== undefined)))
    throw badAction('no answer to a dialog', expected);
  return { kind: 'dialog', accept: verb.text === 'accept', ...(text && { text: text.text }) };
}
