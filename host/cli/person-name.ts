import { userInfo } from 'node:os';
import { printable } from './printable.ts';

/** As others in the page and in records see this person. */
export function personName(): string {
  try {
    return printable(userInfo().username).slice(0, 100) || 'Person';
  } catch {
    return 'Person';
  }
}
