/** Whether this process may make sandboxes itself: Linux, and root. */
export function canBeLocal(): boolean {
  return process.platform === 'linux' && process.geteuid?.() === 0;
}
