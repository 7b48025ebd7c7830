import { runMocha } from '../mochaRun.ts';

/** Called by VS Code: tests of the extension's state, in a window of a workspace file with two folders. */
export function run(): Promise<void> {
  return runMocha(async () => {
    await import('./connection.ts');
    await import('./window.ts');
    await import('./tabs.ts');
    await import('./editor.ts');
    await import('./diagnostics.ts');
    await import('./settings.ts');
    await import('./work.ts');
    await import('./tools.ts');
    await import('./chat-tools.ts');
    await import('./people.ts');
  });
}
