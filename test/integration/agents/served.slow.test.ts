import assert from 'node:assert/strict';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AgentServer } from '../../../host/doors/serve/mcp/agent-server.ts';
import {
  chooseAgent,
  type EpisodeResult,
  finishTool,
  readRecord,
  readSystemPrompt,
  runEpisode,
} from '../../../host/run/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { imagesOf, McpClient, textOf } from '../../support/mcp-client.ts';

onOneNode('a client as the agent', (open) => {
  let test: OpenedNode;
  let task: Task;
  let folder: TemporaryFolder;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
    test = await open();
    task = await loadTask('tasks/vscode/autosave-500');
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** An episode that a client plays. */
  async function play(maxSteps: number, moves: (client: McpClient) => Promise<void>): Promise<EpisodeResult> {
    const system = await readSystemPrompt('assisted');
    await using seat = await AgentServer.open({ system, finish: finishTool.name, port: 0 });
    const requestInit = { headers: { Authorization: `Bearer ${seat.server.token}` } };
    const url = new URL(`${seat.server.origin}/mcp`);
    const transport = new StreamableHTTPClientTransport(url, { requestInit }) as Transport;
    await using client = await McpClient.connect(transport);
    const model = await seat.taken(new AbortController().signal);
    const agent = await chooseAgent({ agent: 'assisted', model }, task);
    const path = folder.file(String((count += 1)));
    const episode = runEpisode({ node: test.node, task, agent, folder: path, maxSteps });
    const ended = episode.then((result) => {
      model.end('The episode is over.');
      return result;
    });
    const [result] = await Promise.all([ended, moves(client)]);
    return result;
  }

  it('reads its task, acts, and is graded when it has finished', async () => {
    const {
      reward,
      end,
      steps,
      folder: path,
    } = await play(5, async (client) => {
      const reported = await client.call('get_task');
      assert.match(textOf(reported), /^Enable auto save[^]*\[1\] button/);
      assert.equal(imagesOf(reported).length, 1);
      assert.match(
        await client.text('set_setting', { key: 'files.autoSave', value: 'afterDelay' }),
        /confirmed/,
      );
      assert.match(await client.refusal('act', { actions: ['click [99999]'] }), /no mark 99999/);
      await client.text('set_setting', { key: 'files.autoSaveDelay', value: 500 });
      await client.text('finish');
    });
    assert.deepEqual([reward, end, steps], [1, 'finished', 3]);
    const { start } = await readRecord(path);
    assert.equal(start.agent.model, 'client:test 1');
  });

  it('is graded when it leaves', async () => {
    const { reward, end } = await play(5, async (client) => {
      await client.call('look');
      const { transport } = client.client;
      assert.ok(transport instanceof StreamableHTTPClientTransport);
      await transport.terminateSession();
    });
    assert.deepEqual([reward, end], [0, 'finished']);
  });

  it('learns that the episode is over when no step is left', async () => {
    const { end } = await play(1, async (client) => {
      assert.equal(await client.text('act', { actions: ['xdotool key F1'] }), 'The episode is over.');
    });
    assert.equal(end, 'step-limit');
  });
});
