import { markText } from './mark-line.ts';
import type { Action } from './types.ts';

/** An action as a person would type it: `xdotool key Return`, `click [12]`, `shell ls -l`. */
export function actionText(action: Action): string {
  switch (action.kind) {
    case 'xdotool':
    case 'unreadable':
      return action.line;
    case 'mark':
      return markText(action);
    case 'computer':
      return JSON.stringify(action.call);
    case 'dialog':
      return `dialog ${action.accept ? 'accept' : 'dismiss'}${action.text === undefined ? '' : ` ${JSON.stringify(action.text)}`}`;
    case 'ask':
      return `ask_person ${JSON.stringify(action.text)}`;
    case 'tool':
      return `${action.name} ${argumentText(action.arguments)}`;
  }
}

function argumentText(given: Readonly<Record<string, unknown>>): string {
  const [only, ...others] = Object.values(given);
  return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(given);
}
