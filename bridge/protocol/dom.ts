import * as z from 'zod';
import { limits } from './connection.ts';
import { defineMethod } from './descriptor.ts';
import { screenBox, screenPoint } from './screen.ts';

/** The states of a mark's element: only those that are true are present. */
const markState = z.object({
  focused: z.literal(true).optional(),
  checked: z.literal(true).optional(),
  expanded: z.literal(true).optional(),
  collapsed: z.literal(true).optional(),
  selected: z.literal(true).optional(),
  disabled: z.literal(true).optional(),
});

/** One element that is visible, not covered, and of use to a person (Set-of-Marks, Yang et al. 2023). */
const mark = z.object({
  id: z
    .int()
    .positive()
    .describe(
      'the same number as long as the element lives and is about the same thing; up to 999 if that is enough',
    ),
  role: z.string().max(60).describe('ARIA role, or the nearest one'),
  name: z.string().max(300).describe('accessible name'),
  value: z.string().max(300).optional().describe('what an input holds'),
  line: z
    .int()
    .positive()
    .optional()
    .describe('of a line of an editor that shows its number: that number, from 1'),
  state: markState,
  box: screenBox,
});
export type Mark = z.output<typeof mark>;

const focus = z.object({
  role: z.string().max(60),
  name: z.string().max(300),
  editable: z.boolean().describe('typing goes into text'),
  secret: z.literal(true).optional().describe('a field that hides what is typed, as for a password'),
  value: z.string().max(10_000).optional().describe('what a focused input holds; not for code editors'),
  box: screenBox.optional(),
  view: z
    .string()
    .max(100)
    .optional()
    .describe(
      "what of VS Code it is in: VS Code's own id of a view, panel or part, e.g. workbench.view.search, terminal, workbench.parts.editor; of what has none: quickInput, rename, menu, dialog, notification, settings, keybindings, extension, searchEditor, notebook",
    ),
});
export type Focus = z.output<typeof focus>;

/** A dialog of the browser that blocks the page until it is answered. */
const dialog = z.object({
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string().max(2000),
  defaultText: z.string().max(2000).describe("what a prompt's field begins with"),
});
export type Dialog = z.output<typeof dialog>;

/** The newest press of the left mouse button, and what it hit: a control, a row, or a whole editor or terminal. */
const pressed = z.object({
  count: z.int().positive().describe('rises with every press'),
  clicks: z
    .int()
    .nonnegative()
    .describe(
      'presses in a row that Chromium takes it for: 2 in a double click; 0 where a page keeps that to itself',
    ),
  role: z.string().max(60),
  name: z.string().max(300),
  text: z.boolean().describe('it is a field, an editor or a terminal: a press gives it the keyboard'),
  before: markState.describe('as the button went down'),
  now: markState.nullable().describe('null where it is gone'),
});
export type Pressed = z.output<typeof pressed>;

/** HTML drag and drop: of files, tabs and views of VS Code, but not of an editor's text or a border. */
const dragState = z.object({
  presses: z.int().nonnegative().describe('rises with each press of the left button'),
  away: z
    .boolean()
    .describe('the pointer is over a document of another origin, which gets the presses there'),
  held: z.boolean().describe('the left button is down on something that can be dragged'),
  on: z.boolean().describe('it is being dragged'),
  over: screenPoint
    .nullable()
    .describe('the place that the newest press dragged to, as far as the page knows; screen pixels'),
  overs: z.int().nonnegative().describe('rises with each dragover event, also at the same place'),
  ended: z.int().nonnegative().describe('rises when something is dropped, and when a drag ends'),
});
export type DragState = z.output<typeof dragState>;

/** VS Code's messages to people in front of its views, and in its status bar. */
const windowMessage = z.object({
  kind: z.enum(['notification', 'dialog', 'status']),
  text: z.string().max(300),
});
export type WindowMessage = z.output<typeof windowMessage>;

/** A part of the window that is shown. */
const layoutPart = z.object({
  name: z.string().max(60).describe('e.g. side bar, panel, editor group 2, menu'),
  box: screenBox,
});
export type LayoutPart = z.output<typeof layoutPart>;

/** State that a page can report cheaply, for comparison before and after an action. */
const domProbe = z.object({
  workbench: z.boolean().describe('the page is the workbench and has the keyboard'),
  keyboard: z.boolean().describe("the keyboard is in the page, not in a window or dialog of the browser's"),
  focus: focus.nullable(),
  element: z
    .int()
    .nonnegative()
    .describe('number of the focused element, the same as long as it keeps the focus; 0 if nothing has it'),
  state: markState.describe('of the focused element, or the row that a focused list points at'),
  surface: z.enum(['editor', 'terminal', 'field']).nullable().describe('what typed text goes into'),
  terminal: z
    .array(z.string().max(1000))
    .max(500)
    .nullable()
    .describe('rows that the focused terminal shows'),
  selected: z.string().max(1000).describe('the selection in the focused field or page, shortened'),
  scroll: z
    .array(z.string().max(500))
    .max(10)
    .describe('scroll offsets at each point; empty where nothing scrolls'),
  pressed: pressed.nullable().describe('null if it hit nothing with a role'),
  drag: dragState,
  messages: z.array(windowMessage).max(10).describe('that are shown'),
  pending: z
    .enum(['write', 'answer'])
    .nullable()
    .describe(
      "a pause of VS Code's after input has not ended: it has yet to write a setting, or to answer in some other way",
    ),
  setting: z.boolean().describe('the focus is in the control of a setting'),
  paced: z
    .enum(['path', 'name'])
    .nullable()
    .describe(
      'the focused field takes text more slowly than it can be sent. path: it looks up each character, and ignores what comes meanwhile. name: it looks up the name of a file, and gives up if a line or a symbol follows before it has found one',
    ),
  modal: z
    .string()
    .max(200)
    .nullable()
    .describe('name of the dialog that holds the focus and takes all keys: commands of the window get none'),
  layout: z.array(layoutPart).max(40).describe('parts of the window, and menus, that are shown'),
  tabs: z
    .array(z.array(z.string().max(200)).max(100))
    .max(40)
    .default([])
    .describe('the tabs of each editor group, in the order that they are shown in'),
  accepted: z
    .object({ count: z.int().positive(), name: z.string().max(300) })
    .nullable()
    .describe('entry of a quick pick at which Return was pressed last; the count rises with each'),
  loadedAt: z.number().describe('when the page was loaded: it changes with a reload'),
  changes: z.int().nonnegative().describe('rises with the changes of the page'),
  keys: z.int().nonnegative().describe('rises with each key that goes down in the page'),
  dialog: dialog.nullable(),
});
export type DomProbe = z.output<typeof domProbe>;
/** A part of the page that did not answer, or not in time. */
const unreadPart = z.object({
  what: z.string().max(200).describe("a frame's title or address; `page` for all of it"),
  why: z.string().max(300),
  box: screenBox.nullable().describe('null where it is not known'),
  late: z
    .literal(true)
    .optional()
    .describe('there was no time for the rest, e.g. on a busy machine: a later reading may have it'),
});
export type UnreadPart = z.output<typeof unreadPart>;

/** Narrows what is read to the requested marks. */
const marksQuery = z.object({
  limit: z.int().nonnegative().max(limits.marks).default(limits.marks),
  within: z.string().max(1000).optional().describe('CSS selector: only marks inside a match of it'),
  role: z.string().max(60).optional().describe('exactly this role'),
  text: z.string().max(300).optional().describe('part of the name or the value; case is ignored'),
});
export type MarksQuery = z.input<typeof marksQuery>;

const domObservation = z.object({
  observation: z.int().positive().describe('rises with every observation of this sandbox'),
  given: z.int().nonnegative().describe('rises with the marks that get a number; as in `dom.numbers`'),
  url: z.string().max(4096),
  title: z.string().max(1000),
  workbench: z.boolean().describe("the focused page is the VS Code workbench, not a page of Chromium's"),
  focus: focus.nullable(),
  caret: screenBox.nullable(),
  marks: z.array(mark).max(limits.marks),
  back: z
    .array(z.int().positive())
    .max(limits.marks)
    .default([])
    .describe('ids of marks that an earlier observation showed, but the previous one did not'),
  omitted: z.int().nonnegative().describe('marks beyond the limit'),
  truncated: z.boolean().default(false).describe('not all of the page was read'),
  unread: z.array(unreadPart).max(50).default([]),
  dialog: dialog
    .optional()
    .describe('in front of the page, which can not be read until it is answered: there are no marks then'),
});
export type DomObservation = z.output<typeof domObservation>;

const domGlance = domObservation.omit({ observation: true, given: true, back: true });
export type DomGlance = z.output<typeof domGlance>;

const domActivity = z.object({
  quietMs: z.number().nonnegative().describe("time since the page's DOM last changed"),
  busy: z
    .array(z.object({ what: z.string().max(100), ageMs: z.number().nonnegative() }))
    .max(50)
    .describe('visible progress bars, spinners, and webviews that have yet to show their page'),
  pauseMs: z
    .number()
    .nonnegative()
    .describe(
      "until the last short timer is due that the page's scripts have set since the last input; 0 without one",
    ),
  workbench: z.boolean(),
});
export type DomActivity = z.output<typeof domActivity>;

/** Counting never reaches this number: a higher one is refused as wrong. */
const highestNumber = 1_000_000_000;

/** The highest numbers that a sandbox has used; 0 if it has used none. */
const domNumbers = z.object({
  observation: z.int().nonnegative().max(highestNumber).describe('the highest that was given'),
  mark: z
    .int()
    .nonnegative()
    .max(highestNumber)
    .describe('the position in the numbers up to 999, which are used in rounds'),
});
export type DomNumbers = z.output<typeof domNumbers>;

export const dom = {
  /**
   * Reads the page once and numbers it. A page or a frame that does not answer is listed in `unread`, not waited for.
   * Errors: `Unavailable` while there is no page, `InvalidParams` for a bad selector.
   */
  observe: defineMethod('dom.observe', marksQuery, domObservation),
  /**
   * The same for callers that only watch: it uses no number, so the marks of others stay valid, and its own marks can't
   * be clicked until an observation shows them. Errors: those of `observe`.
   */
  glance: defineMethod('dom.glance', marksQuery, domGlance),
  /** The newest observation once more, as its caller got it; reads nothing. Null before the first, and after a restore. */
  last: defineMethod(
    'dom.last',
    z.object({ whole: z.boolean().default(false).describe('the newest of all marks, not of a query') }),
    z.object({ observation: domObservation.nullable() }),
  ),
  /**
   * Where to click for a mark of the newest observation, looked up now: the element may have moved since. An observation
   * with a query (`within`, `role`, `text`) leaves the marks of earlier ones valid. Errors: `Stale` for an older
   * observation or an element that is gone or covered, with what is there now; `NotFound` for an unknown id.
   */
  locate: defineMethod(
    'dom.locate',
    z.object({
      mark: z.int().positive(),
      observation: z
        .int()
        .positive()
        .optional()
        .describe('the observation it was read in; the newest by default'),
    }),
    z.object({ point: screenPoint, box: screenBox }),
  ),
  /**
   * The page as indented text, one element a line, bounded. An element cut by depth has the number of its node on its
   * line; text cut by size continues at the node `next`. Errors: `NotFound` for a root that is gone or never existed.
   */
  tree: defineMethod(
    'dom.tree',
    z.object({
      within: z.string().max(1000).default('body').describe('CSS selector of the root: its first match'),
      node: z.int().positive().optional().describe('number of the root, instead of `within`'),
      from: z
        .int()
        .positive()
        .optional()
        .describe('`next` of the previous answer, for the same root: continue there'),
      depth: z.int().positive().max(200).default(60),
      maxBytes: z.int().min(300).max(limits.treeText).default(20_000).describe('of the text in UTF-8'),
    }),
    z.object({
      text: z.string().max(limits.treeText),
      truncated: z.boolean(),
      elements: z.int().nonnegative(),
      next: z.int().positive().nullable().describe('where to continue; null where the text reached the end'),
    }),
  ),
  /**
   * Visible text that is not in any mark: messages, descriptions, headings; in document order. Errors: `NotFound` for a
   * selector that matches nothing, `InvalidParams` for a bad one.
   */
  text: defineMethod(
    'dom.text',
    z.object({
      within: z.string().max(1000).optional().describe('CSS selector: only text inside a match of it'),
      limit: z.int().positive().max(limits.textPieces).default(limits.textPieces),
      maxBytes: z.int().min(300).max(limits.treeText).default(20_000).describe('of all text in UTF-8'),
    }),
    z.object({
      pieces: z
        .array(z.object({ text: z.string().max(1000), box: screenBox }))
        .max(limits.textPieces)
        .describe('each of one block of the page'),
      omitted: z.int().nonnegative().describe('pieces beyond the limits'),
      unread: z.array(z.string().max(200)).max(10).describe('parts whose text was not read'),
    }),
  ),
  /**
   * The element that a click at a point of the screen would reach: the nearest ancestor that can be a mark, else the
   * innermost element. Null outside of the page.
   */
  under: defineMethod(
    'dom.under',
    z.object({ point: screenPoint }),
    z.object({
      element: mark
        .omit({ id: true })
        .extend({
          mark: z.int().positive().nullable().describe('its number; null if it was not shown as a mark'),
        })
        .nullable(),
    }),
  ),
  /** State that an action may have changed, read in about a millisecond, after all input that the page has received. */
  probe: defineMethod('dom.probe', z.object({ points: z.array(screenPoint).max(10).default([]) }), domProbe),
  /** Answers the browser's dialog. Errors: `NotFound` if none is open. */
  answer: defineMethod(
    'dom.answer',
    z.object({ accept: z.boolean(), text: z.string().max(10_000).optional().describe('for a prompt') }),
    z.object({ dialog }),
  ),
  /**
   * One command of Chromium's debugging protocol to the page, for tests and measurements: nothing inside can connect to
   * the browser. Errors: `Unavailable` while there is no page.
   */
  command: defineMethod(
    'dom.command',
    z.object({ method: z.string().max(100), params: z.record(z.string(), z.unknown()).default({}) }),
    z.object({ result: z.unknown() }),
  ),
  /** Whether the page is at rest: one term of settling. */
  activity: defineMethod('dom.activity', z.object({}), domActivity),
  /** The highest used numbers, for callers that restore this sandbox to a state that has used fewer. */
  numbers: defineMethod('dom.numbers', z.object({}), domNumbers),
  /** Continues after these numbers, so that none is reused soon, and makes all earlier marks stale. */
  renumber: defineMethod('dom.renumber', domNumbers, domNumbers),
};
