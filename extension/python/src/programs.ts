/** What all programs that this extension starts are given: nothing that concerns the IDE's own processes alone. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL|NODE_EXEC_PATH$|MALLOC_ARENA_MAX$|PWP_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Debian's Python: it has what the extension's own scripts need (debugpy, rope), whichever Python a workspace uses. */
export const systemPython = '/usr/bin/python3';
