import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import type { Box } from '../../../bridge/protocol/index.ts';
import { whyNot } from '../../node/index.ts';
import { checkedQuestion } from './question.ts';
import { checkedCall } from '../tools/index.ts';
import { readComputer } from './computer.ts';
import { intentOf } from './intent.ts';
import { actionOf } from './parse.ts';
import type { Plan, Sight } from './plan.ts';
import type { Action } from './types.ts';
import { fromView } from './view.ts';
import { parseXdotoolLine, type XdotoolPart } from './xdotool.ts';
import { zoomRegion } from './zoom.ts';

/** Compiles an action, or a line of an agent, into a plan. An invalid one becomes a plan, too: `refused`. */
export function compile(asked: string | Action, sight: Sight): Plan {
  try {
    return playable(planOf(typeof asked === 'string' ? actionOf(asked) : asked, sight), sight.screen);
  } catch (error) {
    const why = messageOf(error);
    if (typeof asked === 'string')
      return { kind: 'refused', action: { kind: 'unreadable', line: asked, why }, why };
    if (!(error instanceof PwpError) || error.code !== 'bad-action') throw error;
    return { kind: 'refused', action: asked, why };
  }
}

/** Refuses a plan whose keys, characters or places do not exist before other actions are played. */
function playable(plan: Plan, screen: Box): Plan {
  if (plan.kind !== 'input') return plan;
  for (const part of plan.parts) {
    for (const command of 'input' in part ? part.input : []) {
      const why = whyNot(command, screen);
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
  const action = actionOf(line);
  planOf(action, { screen: { x: 0, y: 0, width: 1, height: 1 } });
  return action;
}

function planOf(action: Action, sight: Sight): Plan {
  switch (action.kind) {
    case 'unreadable':
      return { kind: 'refused', action, why: action.why };
    case 'mark':
      return { kind: 'mark', action, act: action };
    case 'dialog':
      return { kind: 'dialog', action, accept: action.accept, text: action.text };
    case 'ask':
      return { kind: 'ask', action, question: checkedQuestion(action) };
    case 'tool':
      return { kind: 'tool', action, call: checkedCall(action) };
    case 'xdotool':
      return inputPlan(action, parseXdotoolLine(action.line), sight);
    case 'computer': {
      const read = readComputer(action.call, sight.view ?? sight.screen);
      if ('commands' in read) return inputPlan(action, [{ input: read.commands }], sight);
      const region = zoomRegion(read.zoom, sight);
      return region ? { kind: 'zoom', action, region } : offScreen(action, sight);
    }
  }
}

/** For an agent's own coordinates; those of a mark are always on the screen. */
function inputPlan(action: Action, given: readonly XdotoolPart[], { view }: Sight): Plan {
  if (given.every((part) => 'input' in part && part.input.length === 0)) return { kind: 'look', action };
  const why = offPicture(given, view);
  if (why !== undefined) return { kind: 'refused', action, why };
  const parts = given.map((part) => ('input' in part ? { input: fromView(part.input, view) } : part));
  return { kind: 'input', action, parts, intent: intentOf(parts) };
}

/** A place outside of the picture that the agent saw, in the pixels that it wrote. */
function offPicture(parts: readonly XdotoolPart[], view: Sight['view']): string | undefined {
  if (!view) return undefined;
  const { width, height } = view;
  const off = parts
    .flatMap((part) => ('input' in part ? part.input : []))
    .find((one) => one.kind === 'move' && !one.relative && (one.x >= width || one.y >= height));
  if (off?.kind !== 'move') return undefined;
  return `(${off.x}, ${off.y}) is outside of the picture, which has ${width}x${height} pixels`;
}

function offScreen(action: Action, { screen, view }: Sight): Plan {
  const { width, height } = view ?? screen;
  return {
    kind: 'refused',
    action,
    why: `a zoom off the screen. The picture has ${width}x${height} pixels.`,
  };
}
