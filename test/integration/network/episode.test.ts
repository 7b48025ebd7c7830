import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node } from '../../../host/node/index.ts';
import { writeReport } from '../../../host/doors/report/index.ts';
import { type Agent, readRecord, runEpisode } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { onEachConnection } from '../../support/each-connection.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';
import { startWeb, type WebServer } from '../../support/web-servers.ts';

onEachConnection('an episode with a list of allowed hosts', (open) => {
  let folder: TemporaryFolder;
  let web: WebServer;
  let opened: { readonly node: Node } & AsyncDisposable;
  before(async () => {
    folder = await temporaryFolder();
    web = await startWeb();
    opened = await open({ names: { 'plain.test': '127.0.0.1' } });
  });
  after(async () => {
    await opened[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  slowIt('reaches them from the IDE, and its record has the refusals', async function () {
    this.timeout(300_000);
    const { node } = opened;
    const plain = await loadTask('tasks/vscode/swap-text-test');
    const network = { network_mode: 'allowlist' as const, allowed_hosts: [`plain.test:${web.port}`] };
    const config = { ...plain.config, environment: { ...plain.config.environment, ...network } };
    const task = { ...plain, config };
    const fetchIt = (url: string) =>
      `node -e "fetch('${url}').then(async (r) => console.log(r.status, await r.text()))"`;
    const commands = [fetchIt(`http://plain.test:${web.port}/x`), fetchIt('http://bad.test/')];
    const decisions = commands.map((command) => ({
      actions: [{ kind: 'tool' as const, name: 'shell', arguments: { command } }],
    }));
    const agent: Agent = { name: 'test', decide: () => Promise.resolve(decisions.shift() ?? null) };
    const path = join(folder.path, 'episode');
    const result = await runEpisode({ node, task, agent, folder: path, writeReport, signal: never });
    assert.equal(result.end, 'finished', result.error ?? '');
    const history = await readRecord(path);
    const outputs = history.steps.map(({ outcomes }) => outcomes[0]?.output ?? '');
    assert.match(outputs[0] ?? '', /200 .*"url":"\/x"/);
    assert.match(outputs[1] ?? '', /Proxy response \(403\)/);
    // The IDE itself sends no requests: the record holds only the agent's.
    const refused = history.refusals.map(({ host, port, why }) => [host, port, why]);
    assert.deepEqual(refused, [['bad.test', 80, 'host-not-allowed']]);
    assert.equal(history.result.refusedConnections, 1);
    assert.match(await readFile(result.report ?? '', 'utf8'), /Connection to bad\.test:80 refused/);
  });
});
