import { messageOf, clip } from '../../../bridge/lib/index.ts';
import { markAct, withBrackets } from './mark-line.ts';
import { tokenize } from './tokens.ts';
import type { Action, ComputerCall } from './types.ts';
import { isCommand } from './vocabulary.ts';
import { badAction } from './word.ts';

/**
 * The action of a line. The words of an xdotool line and the fields of a computer action are not read yet. Errors:
 * `bad-action`.
 */
export function actionOf(line: string): Action {
  const trimmed = line.trim();
  const mark = markAct(trimmed);
  if (mark) return { kind: 'mark', ...mark };
  if (/^xdotool(\s|$)/.test(trimmed)) return { kind: 'xdotool', line: trimmed };
  if (trimmed.startsWith('{')) return computerAction(trimmed);
  if (/^dialog(\s|$)/.test(trimmed)) return dialogAction(trimmed);
  const bracketed = withBrackets(trimmed);
  if (bracketed !== undefined) {
    const button = /^click [1-9]$/.test(trimmed) ? `, or a button of the mouse: xdotool ${trimmed}` : '';
    throw badAction(`no action: '${trimmed}'`, `A mark's number is in brackets: ${bracketed}${button}.`);
  }
  const start = trimmed.length > 60 ? `${clip(trimmed, 60)}…` : trimmed;
  const lacksName = isCommand(/^\w+/.exec(trimmed)?.[0] ?? '') && !trimmed.includes('[');
  throw badAction(
    `no action: '${start}'`,
    lacksName
      ? `Begin it with xdotool: xdotool ${start}`
      : "Expected an xdotool line, a mark with click, double_click, triple_click, right_click, middle_click or hover, e.g. click [12], drag [12] to [15], scroll [12] down 3, type [12] 'text', a computer action as JSON, or dialog accept.",
  );
}

function computerAction(line: string): Action {
  try {
    return { kind: 'computer', call: JSON.parse(line) as ComputerCall };
  } catch (error) {
    throw badAction('a computer action that is not JSON', messageOf(error));
  }
}

function dialogAction(line: string): Action {
  const [, verb, text, ...rest] = tokenize(line).flat();
  const expected = "Expected dialog accept, dialog accept 'text', or dialog dismiss.";
  if (rest.length > 0 || (verb?.text !== 'accept' && (verb?.text !== 'dismiss' || text !== undefined)))
    throw badAction('no answer to a dialog', expected);
  return { kind: 'dialog', accept: verb.text === 'accept', ...(text && { text: text.text }) };
}
