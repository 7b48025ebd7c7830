import { PwpError } from '../../../bridge/lib/index.ts';
import {
  RpcError,
  dom,
  ide,
  type Box,
  type DomProbe,
  type Editor,
  type Point,
  type ResultOf,
} from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** What can be compared before and after an action. */
export interface Evidence {
  /** Undefined if the page could not be asked. */
  readonly page: DomProbe | undefined;
  /** Scroll positions, by the point they were read at. */
  readonly scroll: ReadonlyMap<string, string>;
  /** The active editor; its text only if the action types. */
  readonly editor: Editor | null | undefined;
  /** The recent events of VS Code; undefined if the extension could not be asked. */
  readonly events: ResultOf<typeof ide.events> | undefined;
  /** Where the pointer is; undefined if the screen was not looked at. */
  readonly pointer: Point | undefined;
  /** The change of the screen since the step before; undefined between the actions of one step. */
  readonly changed: Box | null | undefined;
}

/** The looks around one action of a batch. */
export interface Around {
  readonly before: Evidence;
  readonly after: Evidence;
  /** Before and after all of its batch; undefined for an action alone. */
  readonly batch?: { readonly before: Evidence; readonly after: Evidence };
}

export interface Wanted {
  /** Read the text of the active editor. */
  readonly text: boolean;
  /** Where scroll positions are read. */
  readonly points: readonly Point[];
}

/** The maximum text of a document that is compared: more would make each step wait. UTF-16 code units. */
const longestText = 2 * 1024 * 1024;

export function pointKey({ x, y }: Point): string {
  return `${x},${y}`;
}

/**
 * Reads what can be compared. Costs a few milliseconds, and includes everything that the windows have read by then.
 * @param screen the screen of the step's own observation; undefined between actions
 */
export async function takeEvidence(
  sandbox: Sandbox,
  { text, points }: Wanted,
  screen: Pick<Evidence, 'pointer' | 'changed'> | undefined,
  signal: AbortSignal,
): Promise<Evidence> {
  // The page first: the extension learns from it.
  const page = await orNothing(sandbox.call(dom.probe, { points: [...points] }, { signal }));
  const asked = { includeText: text, maxChars: longestText, current: true };
  // A page that a dialog blocks can't pass anything on to the extension, either.
  const [answer, events] =
    page && !page.dialog
      ? await Promise.all([
          orNothing(sandbox.call(ide.editor, asked, { signal })),
          orNothing(sandbox.call(ide.events, {}, { signal })),
        ])
      : [];
  const scroll = new Map(points.map((point, i) => [pointKey(point), page?.scroll[i] ?? '']));
  return { page, scroll, editor: answer?.editor, events, pointer: screen?.pointer, changed: screen?.changed };
}

/** Without the page or the extension the rest is judged. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RpcError || (error instanceof PwpError && error.code !== 'timeout'))
      return undefined;
    throw error;
  }
}
