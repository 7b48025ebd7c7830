import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a secret with a given value, in a time that does not depend on where they differ. */
export function isSameSecret(shown: string, secret: string): boolean {
  return timingSafeEqual(digest(shown), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
