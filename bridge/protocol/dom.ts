import * as z from 'zod';
import { method } from './descriptor.ts';
import { box, point } from './geometry.ts';
import { limits } from './limits.ts';

/** What a mark's element is in: only the states that are true are present. */
export const markState = z.object({
  focused: z.literal(true).optional(),
  checked: z.literal(true).optional(),
  expanded: z.literal(true).optional(),
  collapsed: z.literal(true).optional(),
  selected: z.literal(true).optional(),
  disabled: z.literal(true).optional(),
});

/** One element that is visible, not covered, and of use to a person (Set-of-Marks, Yang et al. 2023). */
export const mark = z.object({
  id: z.int().positive().describe('the same number as long as the element lives'),
  role: z.string().max(60).describe('ARIA role, or the nearest one'),
  name: z.string().max(300).describe('accessible name'),
  value: z.string().max(300).optional().describe('what an input holds'),
  state: markState,
  box,
});
export type Mark = z.output<typeof mark>;

export const focus = z.object({
  role: z.string().max(60),
  name: z.string().max(300),
  editable: z.boolean().describe('typing goes into text'),
  value: z.string().max(10_000).optional().describe('what a focused input holds; not for code editors'),
  box: box.optional(),
});
export type Focus = z.output<typeof focus>;

/** A part of the page that did not answer, or not in time. */
export const unreadPart = z.object({
  what: z.string().max(200).describe("a frame's title or address; `page` for all of it"),
  why: z.string().max(300),
  box: box.nullable().describe('null where it is not known'),
});
export type UnreadPart = z.output<typeof unreadPart>;

/** Narrows what is read to the marks that are asked for. */
export const marksQuery = z.object({
  limit: z.int().nonnegative().max(limits.marks).default(limits.marks),
  within: z.string().max(1000).optional().describe('CSS selector: only marks inside a match of it'),
  role: z.string().max(60).optional().describe('exactly this role'),
  text: z.string().max(300).optional().describe('part of the name or the value, whatever its case'),
});
export type MarksQuery = z.input<typeof marksQuery>;

export const domObservation = z.object({
  observation: z.int().positive().describe('rises with every observation of this sandbox'),
  url: z.string().max(4096),
  title: z.string().max(1000),
  workbench: z.boolean().describe("the focused page is the VS Code workbench, not a page of Chromium's"),
  focus: focus.nullable(),
  caret: box.nullable(),
  marks: z.array(mark).max(limits.marks),
  omitted: z.int().nonnegative().describe('marks beyond the limit'),
  truncated: z.boolean().default(false).describe('the page has more elements than were looked at'),
  unread: z.array(unreadPart).max(50).default([]),
});
export type DomObservation = z.output<typeof domObservation>;

export const domActivity = z.object({
  quietMs: z.number().nonnegative().describe("time since the page's DOM last changed"),
  busy: z.array(z.string().max(100)).max(50).describe('visible progress bars and spinners'),
  workbench: z.boolean(),
});
export type DomActivity = z.output<typeof domActivity>;

export const dom = {
  /**
   * Reads the page once and numbers it. A page or a frame that does not answer is told in `unread`, not waited for.
   * Errors: `Unavailable` while there is no page, `InvalidParams` for a bad selector.
   */
  observe: method('dom.observe', marksQuery, domObservation),
  /**
   * Where to click for a mark of the newest observation, looked up now: the element may have moved since.
   * Errors: `Stale` for an older observation or an element that is gone or covered, `NotFound` for an unknown id.
   */
  locate: method(
    'dom.locate',
    z.object({
      mark: z.int().positive(),
      observation: z
        .int()
        .positive()
        .optional()
        .describe('the observation it was read in; the newest by default'),
    }),
    z.object({ point, box }),
  ),
  /**
   * The page as indented text, one element a line, bounded. What was cut by depth says the number of its node on its
   * line, what was cut by size begins at the node `next`. Errors: `NotFound` for a root that is not there or gone.
   */
  tree: method(
    'dom.tree',
    z.object({
      within: z.string().max(1000).default('body').describe('CSS selector of the root: its first match'),
      node: z.int().positive().optional().describe('number of the root, instead of `within`'),
      from: z
        .int()
        .positive()
        .optional()
        .describe('`next` of the answer before, for the same root: go on there'),
      depth: z.int().positive().max(200).default(60),
      maxBytes: z.int().min(300).max(limits.treeText).default(20_000).describe('of the text in UTF-8'),
    }),
    z.object({
      text: z.string().max(limits.treeText),
      truncated: z.boolean(),
      elements: z.int().nonnegative(),
      next: z.int().positive().nullable().describe('where to go on; null where the text reached the end'),
    }),
  ),
  /** Whether the page is at rest: one term of settling. */
  activity: method('dom.activity', z.object({}), domActivity),
};
