import { userInfo } from 'node:os';
import { clip } from '../../bridge/lib/index.ts';
import { printable } from './printable.ts';

/** As others in the page and in records see this person. */
export function personName(): string {
  try {
    return clip(printable(userInfo().username), 100) || 'Person';
  } catch {
    return 'Person';
  }
}
