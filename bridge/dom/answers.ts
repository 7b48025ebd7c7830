import * as z from 'zod';
import { box, dom, point } from '../protocol/index.ts';
import type { Located, PageActivity, PageProbe, PageState, Reading, TreeText } from './page/api.ts';

const observation = dom.observe.result.shape;

/** What the in-page script answers, checked: a page is not trusted to be the one that was opened. */
export const answers = {
  observe: z.object({
    url: observation.url,
    title: observation.title,
    focus: observation.focus,
    caret: observation.caret,
    marks: observation.marks,
    omitted: observation.omitted,
    nextId: z.int().positive(),
  }) satisfies z.ZodType<Reading>,
  locate: z.union([
    z.object({ point, box }),
    z.object({ gone: z.string().max(200) }),
  ]) satisfies z.ZodType<Located>,
  tree: dom.tree.result.nullable() satisfies z.ZodType<TreeText | null>,
  probe: dom.probe.result.pick({
    focus: true,
    surface: true,
    terminal: true,
    selected: true,
    scroll: true,
    changes: true,
  }) satisfies z.ZodType<PageProbe>,
  activity: z.object({
    quietMs: z.number().nonnegative(),
    busy: dom.activity.result.shape.busy,
  }) satisfies z.ZodType<PageActivity>,
  state: z.object({
    workbench: z.boolean(),
    restored: z.boolean(),
    focused: z.boolean(),
    width: z.int().nonnegative(),
    height: z.int().nonnegative(),
  }) satisfies z.ZodType<PageState>,
};
