import { PwpError } from '../../bridge/lib/index.ts';
import type { Holder, Person } from './lease.ts';

/**
 * Why an agent or a person may not act, or an agent may not look: a person has the lease.
 * @param person who asks; default: an agent
 */
export function heldBy(
  { actor, since, letsWatch }: Pick<Holder, 'actor' | 'since' | 'letsWatch'>,
  person?: Person,
): PwpError {
  const time = since.slice(11, 19);
  if (person)
    return new PwpError('control-held', `${actor.name} has control since ${time} UTC`, {
      help: 'Ask for it, or take it by force.',
    });
  const look = letsWatch ? 'You may look meanwhile.' : 'You can not look meanwhile either.';
  return new PwpError('control-held', `${actor.name} has control since ${time} UTC; agents may not act`, {
    help: `Wait until control is given back, then look before you act. ${look}`,
  });
}
