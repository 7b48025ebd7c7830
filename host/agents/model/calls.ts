import * as z from 'zod';
import { clip } from '../../../bridge/lib/index.ts';
import { nearest } from '../../../bridge/protocol/index.ts';
import type { Action } from '../../env/index.ts';
import type { Block, ComputerCall, FunctionCall } from '../../models/index.ts';
import { actTool, finishTool, lookTool } from './computer.ts';
import type { AgentTools } from './tool-set.ts';

/** One call of a model, as actions of a step. */
export interface Asked {
  readonly id: string;
  readonly actions: readonly (string | Action)[];
  /** It used, or wanted to see, the screen. */
  readonly screen: boolean;
  /** A call of the vendor's computer tool. */
  readonly call?: ComputerCall;
}

/** A turn's calls, in order, and whether the model says that it has finished. */
export interface AskedTurn {
  readonly calls: readonly Asked[];
  readonly finished: boolean;
}

const lines = z.strictObject({ actions: z.array(z.string()).min(1).max(50) });
const corner = z.int().nonnegative();
const region = z.strictObject({ region: z.tuple([corner, corner, corner, corner]).optional() });

/** An impossible call becomes an action, too: the step refuses it with the reason, so that the model learns about it. */
export function askedBy(blocks: readonly Block[], tools: AgentTools, computer: boolean): AskedTurn {
  const calls = blocks.filter((block) => block.kind === 'call' || block.kind === 'computer');
  return {
    calls: calls.map((call) => (call.kind === 'call' ? ofFunction(call, tools, computer) : ofComputer(call))),
    finished: calls.some((call) => call.kind === 'call' && call.name === finishTool.name),
  };
}

function ofComputer(call: ComputerCall): Asked {
  const actions = call.actions.map((action): Action => ({ kind: 'computer', call: action }));
  return { id: call.id, actions, screen: true, call };
}

function ofFunction(call: FunctionCall, tools: AgentTools, computer: boolean): Asked {
  const { id, name, arguments: given } = call;
  if (name === finishTool.name) return { id, actions: [], screen: false };
  if (given === null)
    return refused(call, `the arguments are not a JSON object: ${clip(call.written ?? '', 200)}`);
  if (computer && name === actTool.name) {
    const read = lines.safeParse(given);
    if (!read.success) return refused(call, z.prettifyError(read.error));
    return { id, actions: read.data.actions, screen: true };
  }
  if (computer && name === lookTool.name) {
    const read = region.safeParse(given);
    if (!read.success) return refused(call, z.prettifyError(read.error));
    const { region: part } = read.data;
    const look = part ? { action: 'zoom', region: part } : { action: 'screenshot' };
    return { id, actions: [{ kind: 'computer', call: look }], screen: part === undefined };
  }
  const action = tools.action(name, given);
  return action
    ? { id, actions: [action], screen: false }
    : refused(call, unknownTool(name, tools, computer));
}

function refused({ id, name, arguments: given, written }: FunctionCall, why: string): Asked {
  const line = clip(`${name} ${given === null ? (written ?? '') : JSON.stringify(given)}`, 500);
  return { id, actions: [{ kind: 'unreadable', line, why }], screen: false };
}

function unknownTool(name: string, { tools }: AgentTools, computer: boolean): string {
  const known = [
    ...tools.map((tool) => tool.name),
    ...(computer ? [actTool.name, lookTool.name] : []),
    finishTool.name,
  ];
  const like = nearest(name, known);
  const instead = like === undefined ? `The tools are ${known.join(', ')}.` : `Did you mean ${like}?`;
  return `there is no tool ${JSON.stringify(clip(name, 100))}. ${instead}`;
}
