import { appendFileSync } from 'node:fs';

/** Names the file that tests write their attacks to, a line of JSON each; set by `npm run attacks`. */
export const attacksVariable = 'PWP_ATTACKS';

/** An attack that a test tried, and its outcome. */
export interface Attack {
  /** The target, and where the attack comes from. */
  readonly on: string;
  readonly what: string;
  /** Null if no node is involved. */
  readonly node: 'local' | 'docker' | null;
  readonly held: boolean;
}

/** Notes an attack for the table of `npm run attacks`; does nothing in other runs. Call it before the assertion. */
export function noteAttack(attack: Attack): void {
  const file = process.env[attacksVariable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(attack)}\n`);
}
