import { messageOf, clip } from '../lib/index.ts';
import type { Dialog, DomActivity, DomGlance, DomObservation, DomProbe } from '../protocol/index.ts';
import type { Page } from './page.ts';

/**
 * Answers for a page that does not answer itself, because a dialog of the browser blocks it or because it is stuck.
 */

/** A blocked page does nothing. */
export const idle: DomActivity = { quietMs: 60_000, busy: [], pauseMs: 0, workbench: false };

export function seenBehind(dialog: Dialog, page: Page): DomGlance {
  return { ...blank(page), focus: focusOn(dialog), dialog };
}

/** @param last the newest observation, which may be of this page */
export function seenBefore(page: Page, last: DomObservation | undefined, error: Error): DomGlance {
  return {
    ...blank(page),
    title: last?.title ?? '',
    workbench: last?.workbench ?? false,
    truncated: true,
    unread: [{ what: 'page', why: clip(messageOf(error), 300), box: null }],
  };
}

export function probeBehind(dialog: Dialog): DomProbe {
  return {
    workbench: false,
    keyboard: false,
    element: 0,
    state: {},
    surface: null,
    terminal: null,
    selected: '',
    pressed: null,
    drag: { presses: 0, away: false, held: false, on: false, over: null, overs: 0, ended: 0 },
    messages: [],
    pending: null,
    setting: false,
    paced: null,
    modal: null,
    layout: [],
    tabs: [],
    accepted: null,
    loadedAt: 0,
    changes: 0,
    keys: 0,
    scroll: [],
    focus: focusOn(dialog),
    dialog,
  };
}

function blank({ url }: Page): DomGlance {
  return {
    url: clip(url, 4096),
    title: '',
    workbench: false,
    focus: null,
    caret: null,
    marks: [],
    omitted: 0,
    truncated: false,
    unread: [],
  };
}

function focusOn({ type, message }: Dialog): DomObservation['focus'] {
  return { role: 'alertdialog', name: clip(`${type}: ${message}`, 300), editable: type === 'prompt' };
}
