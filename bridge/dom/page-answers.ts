import * as z from 'zod';
import { describeError } from '../lib/index.ts';
import {
  type Dialog,
  dom,
  type DomActivity,
  type DomGlance,
  type DomObservation,
  type DomProbe,
  screenBox,
  screenPoint,
} from '../protocol/index.ts';
import { clip } from '../text/index.ts';
import type { BrowserPage } from './browser-page.ts';
import type {
  ForeignFrame,
  Located,
  PageActivity,
  PageProbe,
  PageState,
  PageUnder,
  Reading,
  StaticText,
  TreeText,
} from './page/index.ts';

const observationShape = dom.observe.result.shape;

const foreignFrameAnswer = z.object({
  key: z.int().positive(),
  name: z.string().max(200),
  place: z.object({
    dx: z.number(),
    dy: z.number(),
    clip: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
  }),
  focused: z.boolean(),
  inside: z.boolean(),
}) satisfies z.ZodType<ForeignFrame>;

/** Checked answers of the in-page script: a page is not trusted to be the one that was opened. */
export const pageAnswers = {
  observe: z.object({
    workbench: observationShape.workbench,
    url: observationShape.url,
    title: observationShape.title,
    focus: observationShape.focus,
    caret: observationShape.caret,
    marks: observationShape.marks,
    omitted: observationShape.omitted,
    cut: z.enum(['many', 'late']).nullable(),
    slowdown: z.number().min(1).max(100),
    nextId: z.int().positive(),
    frames: z.array(foreignFrameAnswer).max(1000),
  }) satisfies z.ZodType<Reading>,
  frames: z.array(foreignFrameAnswer).max(1000),
  shows: z.array(z.boolean()),
  locate: z.union([
    z.object({ point: screenPoint, box: screenBox }),
    z.object({ gone: z.string().max(200) }),
  ]) satisfies z.ZodType<Located>,
  tree: dom.tree.result.nullable() satisfies z.ZodType<TreeText | null>,
  text: z
    .object({
      pieces: dom.text.result.shape.pieces,
      omitted: z.int().nonnegative(),
      truncated: z.boolean(),
      frames: z.int().nonnegative(),
    })
    .nullable() satisfies z.ZodType<StaticText | null>,
  under: observationShape.marks.element
    .extend({ id: z.int().nonnegative() })
    .nullable() satisfies z.ZodType<PageUnder | null>,
  probe: dom.probe.result.omit({ dialog: true }) satisfies z.ZodType<PageProbe>,
  boxOf: screenBox.nullable(),
  overlay: z.int().nonnegative(),
  activity: z.object({
    workbench: dom.activity.result.shape.workbench,
    quietMs: z.number().nonnegative(),
    pauseMs: z.number().nonnegative(),
    busy: dom.activity.result.shape.busy,
  }) satisfies z.ZodType<PageActivity>,
  state: z.object({
    workbench: z.boolean(),
    restored: z.boolean(),
    focused: z.boolean(),
    width: z.int().nonnegative(),
    height: z.int().nonnegative(),
    loadedAt: z.number(),
  }) satisfies z.ZodType<PageState>,
};

/**
 * Answers for a page that does not answer itself, because a dialog of the browser blocks it or because it is stuck.
 */

/** A blocked page does nothing. */
export const idleActivity: DomActivity = { quietMs: 60_000, busy: [], pauseMs: 0, workbench: false };

export function glanceBehindDialog(dialog: Dialog, page: BrowserPage): DomGlance {
  return { ...createEmptyGlance(page), focus: focusOnDialog(dialog), dialog };
}

/** @param last the newest observation, which may be of this page */
export function glanceAtStuckPage(
  page: BrowserPage,
  last: DomObservation | undefined,
  error: Error,
): DomGlance {
  return {
    ...createEmptyGlance(page),
    title: last?.title ?? '',
    workbench: last?.workbench ?? false,
    truncated: true,
    unread: [{ what: 'page', why: clip(describeError(error), 300), box: null }],
  };
}

export function probeBehindDialog(dialog: Dialog): DomProbe {
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
    focus: focusOnDialog(dialog),
    dialog,
  };
}

function createEmptyGlance({ url }: BrowserPage): DomGlance {
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

function focusOnDialog({ type, message }: Dialog): DomObservation['focus'] {
  return { role: 'alertdialog', name: clip(`${type}: ${message}`, 300), editable: type === 'prompt' };
}
