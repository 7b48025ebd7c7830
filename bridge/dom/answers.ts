import * as z from 'zod';
import { box, dom, point } from '../protocol/index.ts';
import type {
  ForeignFrame,
  Located,
  PageActivity,
  PageProbe,
  PageState,
  PageText,
  PageUnder,
  Reading,
  TreeText,
} from './page/index.ts';

const observation = dom.observe.result.shape;

const foreignFrame = z.object({
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
export const answers = {
  observe: z.object({
    workbench: observation.workbench,
    url: observation.url,
    title: observation.title,
    focus: observation.focus,
    caret: observation.caret,
    marks: observation.marks,
    omitted: observation.omitted,
    cut: z.enum(['many', 'late']).nullable(),
    slowdown: z.number().min(1).max(100),
    nextId: z.int().positive(),
    frames: z.array(foreignFrame).max(1000),
  }) satisfies z.ZodType<Reading>,
  frames: z.array(foreignFrame).max(1000),
  shows: z.array(z.boolean()),
  locate: z.union([
    z.object({ point, box }),
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
    .nullable() satisfies z.ZodType<PageText | null>,
  under: observation.marks.element
    .extend({ id: z.int().nonnegative() })
    .nullable() satisfies z.ZodType<PageUnder | null>,
  probe: dom.probe.result.omit({ dialog: true }) satisfies z.ZodType<PageProbe>,
  boxOf: box.nullable(),
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
