import { randomUUID } from 'node:crypto';
import { version } from '../lib/index.ts';
import type { ViewOptions } from '../node/index.ts';
import type { RecordMeta } from '../record/index.ts';
import type { Task } from '../tasks/index.ts';
import type { Agent } from './agent.ts';

/** The start of an episode that branches off another. */
export interface Branch {
  readonly checkpoint: string;
  /** The episode that it branches off, and after which of its steps. */
  readonly session: string;
  readonly step: number;
  /** Whether a replay found the state there to be the recorded one; absent if it is the episode itself. */
  readonly replayed?: 'same' | 'apart' | 'not-compared';
  /** For people: how that state was reached. */
  readonly notes: readonly string[];
}

interface Known {
  readonly task: Task;
  readonly agent: Agent;
  readonly branch?: Branch | undefined;
}

/** Everything that is known about an episode before it begins. */
export function metaOf({ task, agent, branch }: Known): RecordMeta {
  return {
    session: randomUUID(),
    task: task.id,
    seed: task.seed,
    agent: { name: agent.name, version, ...agent.about, view: viewOf(agent.view) },
    versions: { pwp: version, node: process.versions.node },
    ...(branch && { forkedFrom: originOf(branch) }),
  };
}

function originOf({ session, checkpoint, step, replayed }: Branch) {
  return { session, checkpoint, step, ...(replayed && { replayed }) };
}

/** Null for the screen itself: a picture of another size or part has other coordinates. */
function viewOf({ within, region }: ViewOptions = {}) {
  return within || region ? { ...(within && { within }), ...(region && { region }) } : null;
}
