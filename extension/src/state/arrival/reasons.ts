/**
 * Why only a window that opens now would know everything in a workspace with these names at its top; null if an open
 * window can load them. Only when it opens does VS Code read settings that need a new window, run tasks that belong to
 * opening a folder, and offer workspace files.
 */
export function whyNewWindow(names: readonly string[]): string | null {
  if (names.includes('.vscode')) return 'VS Code reads .vscode when a window opens';
  const file = names.find((name) => name.endsWith('.code-workspace'));
  return file === undefined ? null : `VS Code offers ${file} when a window opens`;
}
