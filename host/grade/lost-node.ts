import { PwpError, causesOf } from '../../bridge/lib/index.ts';

/** Whether the node went away, which says nothing about what was left. */
export function isLostNode(error: unknown): boolean {
  const codes = [error, ...causesOf(error)].map((at) => (at instanceof PwpError ? at.code : ''));
  return codes.some((code) => code.startsWith('node-'));
}
