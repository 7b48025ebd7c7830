import { playsSolution } from './choose.ts';

/** Steps that an agent may take at a task, as in the paper on Programming with Pixels. */
export const usualSteps = 20;
/** A solution ends by itself, and people end a session: no more than a stop for what goes on for ever. */
export const mostSteps = 1000;

/**
 * How many steps an episode may have.
 * @param agent its name
 * @param asked what was asked for; default: {@link usualSteps} for what decides for itself
 */
export function stepLimitOf(agent: string, asked?: number): number {
  return asked ?? (playsSolution(agent) ? mostSteps : usualSteps);
}
