import { runTools, shell } from '../../protocol/index.ts';
import type { ToolHandlers } from '../../rpc/index.ts';
import { runCommand } from '../shell.ts';

/** Adds commands outside of the IDE. @param env the environment that they inherit */
export function addRun(handlers: ToolHandlers, env: NodeJS.ProcessEnv): ToolHandlers {
  return handlers.add(runTools.shell, ({ command, timeoutMs }, { signal }) =>
    runCommand(shell.run.params.parse({ command, timeoutMs }), env, signal),
  );
}
