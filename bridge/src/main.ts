/** The bridge: brings up the desktop of one sandbox, watches it, and serves it over one Unix socket. */
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DomReader, type PageScripts } from '../dom/index.ts';
import { messageOf } from '../lib/index.ts';
import type { Service } from '../protocol/index.ts';
import { AgentLog } from './agent.ts';
import { places, readConfig } from './config.ts';
import { Chromium, Supervisor, codeServer, extension, xvfb } from './desktop/index.ts';
import { ExtensionRoute } from './extensions.ts';
import { serve } from './serve.ts';
import { BrowserTests, Pictures, sqliteMain, sqliteProgram } from './tools/index.ts';

/** Put here when the bridge is bundled. */
declare const __PWP_PAGE_SCRIPTS__: PageScripts;

async function main(): Promise<void> {
  for (const folder of [places.logs, places.extensionSockets, places.workspace])
    mkdirSync(folder, { recursive: true });
  const stop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  const config = readConfig(process.env);
  const reader = new DomReader();
  const chromium = new Chromium(config, reader, __PWP_PAGE_SCRIPTS__);
  const log = new AgentLog(reader);
  const route = new ExtensionRoute(
    places.extensionSockets,
    () => chromium.launchedAt,
    (window) => log.follow(window),
  );
  await using stack = new AsyncDisposableStack();
  const supervisor = stack.use(
    new Supervisor([xvfb(config), codeServer(config), chromium, extension(route, chromium, write)]),
  );
  supervisor.status.on(note);
  const tests = stack.use(new BrowserTests(config.env));
  const pictures = new Pictures(reader, config.screen);
  const { status } = supervisor;
  stack.use(
    await serve(places.socket, { status, reader, route, tests, pictures, agent: log, env: config.env }),
  );
  await stop;
}

/** Standard output goes nowhere inside a sandbox. */
function write(line: string): void {
  appendFileSync(join(places.logs, 'bridge.log'), `${new Date().toISOString()} ${line}\n`);
}

function note({ name, state, restarts, detail }: Service): void {
  write(`${name} ${state}${restarts ? ` (restarts: ${restarts})` : ''}${detail ? `: ${detail}` : ''}`);
}

// The bundle is also the program that asks SQLite files: the bridge starts it, and ends it when its time is over.
if (process.argv[2] === sqliteProgram) void sqliteMain();
else
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      write(`the bridge failed: ${error instanceof Error ? (error.stack ?? '') : messageOf(error)}`);
      process.exit(1);
    },
  );
