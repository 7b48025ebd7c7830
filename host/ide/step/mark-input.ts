import { PwpError } from '../../../bridge/lib/index.ts';
import { type Box, dom, type Point } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { InputCommand, Sandbox } from '../../node/index.ts';
import { type MarkAction, readComputer } from '../actions/index.ts';

/** The vendor's computer action that does the same at a place. */
const pointerActions = {
  click: 'left_click',
  double_click: 'double_click',
  triple_click: 'triple_click',
  right_click: 'right_click',
  middle_click: 'middle_click',
  hover: 'mouse_move',
} as const;

/**
 * The input for an action on a mark at its current place. To fill a field it clicks it first, and continues only if the
 * field then has the focus.
 * @param shownIn the observation that a number belongs to; undefined for any valid one
 * @param plays false if nothing is to be played, including the click into a field
 * @throws RpcError of `dom.locate`; PwpError `bad-action` for an element that is not a field
 */
export async function makeMarkInput(
  sandbox: Sandbox,
  act: MarkAction,
  shownIn: (mark: number) => number | undefined,
  plays: boolean,
  signal: AbortSignal,
): Promise<readonly InputCommand[]> {
  const find = async (mark: number) => {
    const { x, y, box } = await findMarkPlace(sandbox, mark, shownIn(mark), signal);
    return { coordinate: [x, y] as const, box };
  };
  const { coordinate, box } = await find(act.mark);
  switch (act.verb) {
    case 'drag': {
      const { coordinate: to } = await find(act.to);
      return toInputCommands({ action: 'left_click_drag', start_coordinate: coordinate, coordinate: to });
    }
    case 'scroll': {
      const scroll = { scroll_direction: act.direction, scroll_amount: act.amount };
      return toInputCommands({ action: 'scroll', coordinate, ...scroll });
    }
    case 'type':
      if (plays)
        await focusField(
          sandbox,
          act.mark,
          toInputCommands({ action: 'left_click', coordinate }),
          box,
          signal,
        );
      return makeFillCommands(act.text);
    default:
      return toInputCommands({ action: pointerActions[act.verb], coordinate });
  }
}

/** Where a mark is clicked now, in whole pixels of the screen. Throws RpcError of `dom.locate`. */
export async function findMarkPlace(
  sandbox: Sandbox,
  mark: number,
  observation: number | undefined,
  signal: AbortSignal,
): Promise<Point & { readonly box: Box }> {
  const { point, box } = await sandbox.call(dom.locate, { mark, observation }, { signal });
  return { x: Math.round(point.x), y: Math.round(point.y), box };
}

function toInputCommands(call: Readonly<Record<string, unknown>>): readonly InputCommand[] {
  const read = readComputer(call);
  return 'commands' in read ? read.commands : [];
}

async function focusField(
  sandbox: Sandbox,
  mark: number,
  click: readonly InputCommand[],
  box: Box,
  signal: AbortSignal,
): Promise<void> {
  const { failure } = await sandbox.input([...click, { kind: 'flush' }], { signal });
  if (failure) throw new PwpError('bad-action', failure.message);
  const { focus, surface } = await sandbox.call(dom.probe, {}, { signal });
  if (surface === 'field' && focus?.editable === true && focus.box && doBoxesMeet(focus.box, box)) return;
  const has = focus
    ? `${focus.role} ${JSON.stringify(clip(focus.name, 80))} has the focus`
    : 'nothing has the focus';
  throw new PwpError(
    'bad-action',
    `mark ${mark} was clicked, but is no text field that took the focus (${has}): nothing was typed. Into editors and terminals, type with xdotool type '…'.`,
  );
}

/** Replaces the whole content of a field. */
function makeFillCommands(text: string): readonly InputCommand[] {
  const press = (keys: readonly string[]) => ({ kind: 'key', keys, action: 'press', delayMs: 0 }) as const;
  return [press(['ctrl', 'a']), text === '' ? press(['BackSpace']) : { kind: 'type', text, delayMs: 0 }];
}

function doBoxesMeet(one: Box, other: Box): boolean {
  const isIn = ({ x, y }: Point, { x: left, y: top, width, height }: Box) =>
    x >= left && y >= top && x < left + width && y < top + height;
  return isIn(findCentre(one), other) || isIn(findCentre(other), one);
}

function findCentre({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}
