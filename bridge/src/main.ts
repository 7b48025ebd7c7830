import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../lib/index.ts';
import { startAgentSide } from './agent-side.ts';
import { agentPaths, desktopPaths } from './config.ts';
import { describeRootMain, describeRootProgram } from './describe-root.ts';
import { startDesktopSide } from './desktop-side.ts';
import { sqliteMain, sqliteProgram } from './tools/index.ts';

/**
 * The bridge. It has two sides, each a process: the desktop's side has its own user, and the agent's side runs the
 * programs that the agent can start.
 */

/** Starts one side. Standard output is lost inside a sandbox, so each side has a log. */
async function runSide([start, logs]: readonly [start: typeof startAgentSide, logs: string]): Promise<void> {
  mkdirSync(logs, { recursive: true });
  const write = (line: string) =>
    appendFileSync(join(logs, 'bridge.log'), `${new Date().toISOString()} ${line}\n`);
  try {
    const stop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    await using stack = new AsyncDisposableStack();
    stack.use(await start(write));
    await stop;
  } catch (error) {
    write(`the bridge failed: ${error instanceof Error ? (error.stack ?? '') : describeError(error)}`);
    process.exitCode = 1;
  }
}

const sides = {
  agent: [startAgentSide, agentPaths.logs],
  desktop: [startDesktopSide, desktopPaths.logs],
} as const;
const side = process.argv[2];
// The bundle is also the program that queries SQLite files, which the bridge starts and ends when its time is over, and the
// one that describes a root, which the host runs.
if (side === sqliteProgram) void sqliteMain();
else if (side === describeRootProgram) void describeRootMain();
else void runSide(sides[side === 'agent' ? 'agent' : 'desktop']).then(() => process.exit());
