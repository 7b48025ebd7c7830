import { playsSolution } from './choose.ts';

/** Maximum steps of an agent at a task, as in the paper on Programming with Pixels. */
export const usualSteps = 20;
/** A solution ends by itself, and people end a session, so this only stops one that would go on for ever. */
export const mostSteps = 1000;

/**
 * The maximum number of steps of an episode.
 * @param agent its name
 * @param asked the requested number; default: {@link usualSteps} for agents that decide for themselves
 */
export function stepLimitOf(agent: string, asked?: number): number {
  return asked ?? (playsSolution(agent) ? mostSteps : usualSteps);
}
