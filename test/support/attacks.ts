import { appendFileSync } from 'node:fs';

/** Names the file that tests write their attacks to, a line of JSON each; set by `npm run attacks`. */
export const attacksVariable = 'PWP_ATTACKS';

/** What a test has tried, and what came of it. */
export interface Attack {
  /** What is attacked, and from where. */
  readonly on: string;
  readonly what: string;
  /** Null where no node has a part in it. */
  readonly node: 'local' | 'docker' | null;
  readonly held: boolean;
}

/** Notes an attack for the table of `npm run attacks`; nothing in any other run. Call it before the assertion. */
export function noteAttack(attack: Attack): void {
  const file = process.env[attacksVariable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(attack)}\n`);
}
