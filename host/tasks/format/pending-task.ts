import { PwpError } from '../../../bridge/lib/index.ts';
import type { RunVariant } from './make-variant.ts';
import type { Task } from './task.ts';

/** What is known of a task before a program of its author's has made the rest of it in a sandbox. */
export interface PendingTask extends Pick<Task, 'id' | 'path' | 'seed' | 'instruction' | 'config'> {
  /** The program's file, for errors. */
  readonly program: string;
  /** Gives the whole task, for an image or our own. */
  readonly make: (run: RunVariant, image?: string) => Promise<Task>;
}

/** A task that is made once for an image, when it is needed first; again if that failed. Until then its parts reject with `variant-not-made`. */
export function describePendingTask({ program, make, ...known }: PendingTask): Task {
  const wanting = () =>
    Promise.reject(
      new PwpError('variant-not-made', `${known.id} has a ${program}, which has not been run`, {
        help: 'Call withVariant(task, { node }) first: it runs in a sandbox.',
      }),
    );
  const made = new Map<string | undefined, Promise<Task>>();
  const makeOnce = (run: RunVariant, image?: string) => {
    const known = made.get(image) ?? make(run, image);
    made.set(image, known);
    known.catch(() => made.delete(image));
    return known;
  };
  return {
    ...{ ...known, make: makeOnce },
    ...{ seeds: wanting, workspace: wanting, testSeeds: wanting, leaks: wanting },
    ...{ agentCodeUses: wanting, solutions: wanting, falseSolutions: wanting },
  };
}
