import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import type { Box } from '../../../bridge/protocol/index.ts';
import { explainUnplayable } from '../../node/index.ts';
import { checkToolCall } from '../tools/index.ts';
import { readActionLine } from './action-line.ts';
import { type ActionPlan, type CoordinateSpace, mapViewToScreen } from './action-plan.ts';
import { type Action, checkQuestion, type PictureCorners } from './action.ts';
import { readComputer } from './computer-action.ts';
import { deriveIntent } from './input-intent.ts';
import { parseXdotoolLine, type XdotoolPart } from './xdotool.ts';

/** Compiles an action, or a line of an agent, into a plan. An invalid one becomes a plan, too: `refused`. */
export function compileAction(asked: string | Action, sight: CoordinateSpace): ActionPlan {
  try {
    return checkPlayable(
      planAction(typeof asked === 'string' ? readActionLine(asked) : asked, sight),
      sight.screen,
    );
  } catch (error) {
    const why = describeError(error);
    if (typeof asked === 'string')
      return { kind: 'refused', action: { kind: 'unreadable', line: asked, why }, why };
    if (!(error instanceof PwpError) || error.code !== 'bad-action') throw error;
    return { kind: 'refused', action: asked, why };
  }
}

/** Refuses a plan whose keys, characters or places do not exist before other actions are played. */
function checkPlayable(plan: ActionPlan, screen: Box): ActionPlan {
  if (plan.kind !== 'input') return plan;
  for (const part of plan.parts) {
    for (const command of 'input' in part ? part.input : []) {
      const why = explainUnplayable(command, screen);
      if (why !== undefined) return { kind: 'refused', action: plan.action, why };
    }
  }
  return plan;
}

/**
 * Reads one line of an agent: an xdotool line, a mark such as `click [12]`, a vendor's computer action as JSON, or the
 * answer to a dialog, `dialog accept 'text'` or `dialog dismiss`. The line is checked to its end, so
 * that an action which is returned can be played. Errors: `bad-action`, which names the word and its column.
 */
export function parseAction(line: string): Action {
  const action = readActionLine(line);
  planAction(action, { screen: { x: 0, y: 0, width: 1, height: 1 } });
  return action;
}

function planAction(action: Action, sight: CoordinateSpace): ActionPlan {
  switch (action.kind) {
    case 'unreadable':
      return { kind: 'refused', action, why: action.why };
    case 'mark':
      return { kind: 'mark', action, act: action };
    case 'dialog':
      return { kind: 'dialog', action, accept: action.accept, text: action.text };
    case 'ask':
      return { kind: 'ask', action, question: checkQuestion(action) };
    case 'tool':
      return { kind: 'tool', action, call: checkToolCall(action) };
    case 'xdotool':
      return planInput(action, parseXdotoolLine(action.line), sight);
    case 'computer': {
      const read = readComputer(action.call, sight.view ?? sight.screen);
      if ('commands' in read) return planInput(action, [{ input: read.commands }], sight);
      const region = zoomRegion(read.zoom, sight);
      return region ? { kind: 'zoom', action, region } : refuseOffScreen(action, sight);
    }
  }
}

/** For an agent's own coordinates; those of a mark are always on the screen. */
function planInput(action: Action, given: readonly XdotoolPart[], { view }: CoordinateSpace): ActionPlan {
  if (given.every((part) => 'input' in part && part.input.length === 0)) return { kind: 'look', action };
  const why = findPlaceOffPicture(given, view);
  if (why !== undefined) return { kind: 'refused', action, why };
  const parts = given.map((part) => ('input' in part ? { input: mapViewToScreen(part.input, view) } : part));
  return { kind: 'input', action, parts, intent: deriveIntent(parts) };
}

/** A place outside of the picture that the agent saw, in the pixels that it wrote. */
function findPlaceOffPicture(
  parts: readonly XdotoolPart[],
  view: CoordinateSpace['view'],
): string | undefined {
  if (!view) return undefined;
  const { width, height } = view;
  const off = parts
    .flatMap((part) => ('input' in part ? part.input : []))
    .find((one) => one.kind === 'move' && !one.relative && (one.x >= width || one.y >= height));
  if (off?.kind !== 'move') return undefined;
  return `(${off.x}, ${off.y}) is outside of the picture, which has ${width}x${height} pixels`;
}

function refuseOffScreen(action: Action, { screen, view }: CoordinateSpace): ActionPlan {
  const { width, height } = view ?? screen;
  return {
    kind: 'refused',
    action,
    why: `a zoom off the screen. The picture has ${width}x${height} pixels.`,
  };
}

/** The part of the screen that two corners enclose, in screen pixels; undefined for one that is not on it. */
export function zoomRegion(
  [left, top, right, bottom]: PictureCorners,
  { screen, view }: CoordinateSpace,
): Box | undefined {
  const { region, width, height } = view ?? { region: screen, ...screen };
  const across = (x: number) => region.x + (x * region.width) / width;
  const down = (y: number) => region.y + (y * region.height) / height;
  const x = Math.floor(Math.max(screen.x, across(left)));
  const y = Math.floor(Math.max(screen.y, down(top)));
  const size = {
    width: Math.ceil(Math.min(screen.x + screen.width, across(right))) - x,
    height: Math.ceil(Math.min(screen.y + screen.height, down(bottom))) - y,
  };
  return size.width > 0 && size.height > 0 ? { x, y, ...size } : undefined;
}
