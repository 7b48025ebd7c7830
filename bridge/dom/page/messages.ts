import type { Message } from '../../protocol/index.ts';
import { line } from './words.ts';

/** VS Code does not show more at once. */
const most = 10;

/** A dialog without a detail shows its message there. */
const kinds = [
  ['notification', '.notifications-toasts .notification-list-item-message'],
  ['dialog', '.monaco-dialog-box :is(.dialog-message-text, .dialog-message-detail)'],
  ['status', '[id="status.message"]'],
] as const;

/** The messages that VS Code shows now. */
export function readMessages(): Message[] {
  return kinds
    .flatMap(([kind, selector]) =>
      [...document.querySelectorAll(selector)]
        .slice(0, most)
        .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((element) => ({ kind, text: line(element.textContent) })),
    )
    .filter(({ text }) => text !== '')
    .slice(0, most);
}
