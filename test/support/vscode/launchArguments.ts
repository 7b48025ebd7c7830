import { parseArgs } from 'node:util';

/** The parts of VS Code's command line that a test run needs. All paths are absolute. */
export interface LaunchArguments {
  readonly extensionTestsPath: string;
  readonly extensionDevelopmentPath: string;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** The folder or `.code-workspace` file to open. */
  readonly target: string;
}

/** Reads the command line that @vscode/test-electron builds; flags only for desktop VS Code are ignored. */
export function readLaunchArguments(args: readonly string[]): LaunchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: {
      extensionTestsPath: { type: 'string' },
      extensionDevelopmentPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
    },
  });
  return {
    extensionTestsPath: required('--extensionTestsPath', values.extensionTestsPath),
    extensionDevelopmentPath: required('--extensionDevelopmentPath', values.extensionDevelopmentPath),
    userDataDir: required('--user-data-dir', values['user-data-dir']),
    extensionsDir: required('--extensions-dir', values['extensions-dir']),
    target: required('a folder or workspace file', positionals[0]),
  };
}

function required(what: string, value: unknown): string {
  if (typeof value === 'string' && value.startsWith('/')) return value;
  throw new Error(`the command line lacks ${what} with an absolute path`);
}
