import type { Message } from '../../protocol/index.ts';
import { line } from './words.ts';

/** More are not shown at once. */
const most = 10;

/** A dialog without a detail has its message in the place of that. */
const kinds = [
  ['notification', '.notifications-toasts .notification-list-item-message'],
  ['dialog', '.monaco-dialog-box :is(.dialog-message-text, .dialog-message-detail)'],
  ['status', '[id="status.message"]'],
] as const;

/** What VS Code says to people now. */
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
