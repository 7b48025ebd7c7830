import { PwpError } from '../../bridge/lib/index.ts';
import { dom, type ResultOf, RpcError } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../node/index.ts';
import { mapScreenToView } from './actions/index.ts';
import { requireViewRight } from './agent-turn.ts';
import { type Observation, type PageText, type Pointer, projectBox, type TextQuery } from './observation.ts';

/** Reads text that is not in a mark, with coordinates in the last observation's view. */
export async function readPageText(
  sandbox: Sandbox,
  query: TextQuery,
  last: Observation | undefined,
  signal: AbortSignal,
): Promise<PageText> {
  await requireViewRight(sandbox, signal);
  const { pieces, omitted, unread } = await sandbox.call(dom.text, query, { signal });
  const shown = pieces.flatMap(({ text, box }) => {
    const seen = projectBox(box, last?.screen.view);
    return seen ? [{ text, box: seen }] : [];
  });
  return { pieces: shown, omitted, unread };
}

/** Finds the pointer and what is under it, with coordinates in the last observation's view. */
export async function findPointer(
  sandbox: Sandbox,
  last: Observation | undefined,
  signal: AbortSignal,
): Promise<Pointer> {
  await requireViewRight(sandbox, signal);
  const { locations } = await sandbox.input([{ kind: 'locate' }], { signal });
  const [at] = locations;
  if (!at) throw new PwpError('display-lost', 'the display did not answer where the pointer is');
  const { element } = await sandbox.call(dom.under, { point: at }, { signal });
  const view = last?.screen.view;
  const [place = at] = mapScreenToView([at], view);
  const box = element && projectBox(element.box, view);
  return { x: place.x, y: place.y, under: element && box && { ...element, box } };
}

/** What another process has shown last, all marks of the whole screen; null if it is not known. */
export async function readLastShown(
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<ResultOf<typeof dom.last>['observation']> {
  try {
    return (await sandbox.call(dom.last, { whole: true }, { signal })).observation;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return null;
  }
}
