/**
 * Why only a window that opens now knows all of a workspace with these names at its top; null where an open one can take
 * them in. VS Code reads settings that need a new window, and tasks that run when a folder opens, only then; it offers
 * workspace files only then.
 */
export function whyNewWindow(names: readonly string[]): string | null {
  if (names.includes('.vscode')) return 'VS Code reads .vscode when a window opens';
  const file = names.find((name) => name.endsWith('.code-workspace'));
  return file === undefined ? null : `VS Code offers ${file} when a window opens`;
}
