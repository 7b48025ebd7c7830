/** The environment of all programs that this extension starts: without variables for the IDE's own processes. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL|NODE_EXEC_PATH$|MALLOC_ARENA_MAX$|PWP_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Debian's Python: it has the modules that our scripts need (debugpy, rope), regardless of the workspace's Python. */
export const systemPython = '/usr/bin/python3';
