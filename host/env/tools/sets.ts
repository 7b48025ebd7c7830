import { PwpError } from '../../../bridge/lib/index.ts';
import { ideBench } from './ide-bench.ts';
import { pwpSets } from './pwp.ts';
import type { ToolSet } from './set.ts';

const sets: readonly ToolSet[] = [ideBench, ...pwpSets];

export const setNames: readonly string[] = sets.map(({ name }) => name);

/** Errors: `bad-action`. */
export function toolSet(name: string): ToolSet {
  const found = sets.find((one) => one.name === name);
  if (found) return found;
  throw new PwpError('bad-action', `there is no set of tools ${name}; expected ${setNames.join(', ')}`);
}
