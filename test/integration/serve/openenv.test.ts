import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { EpisodeTable, openEnvRoutes, openServer } from '../../../host/doors/serve/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { onOneNode } from '../../support/each-node.ts';

/** The frames of OpenEnv 0.10's own client in an episode of test/python/openenv_0_10.py, and the types of the answers. */
const frames = [
  ['{"type": "reset", "data": {"seed": 7, "episode_id": "mine", "picture": "screen"}}', 'observation'],
  ['{"type": "step", "data": {"click": 1}}', 'error'],
  [
    '{"type": "step", "data": {"actions": ["xdotool key Escape", {"tool": "shell", "arguments": {"command": "sed -i \'s/text/\\\\x01/g; s/test/text/g; s/\\\\x01/test/g\' notes.txt"}}], "picture": "none"}}',
    'observation',
  ],
  [
    '{"type": "mcp", "data": {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "shell", "arguments": {"command": "ls"}}, "id": 1}}',
    'mcp',
  ],
  ['{"type": "state"}', 'state'],
  ['{"type": "step", "data": {"done": true}}', 'observation'],
] as const;

const answerSchema = z.object({ type: z.string(), data: z.looseObject({}) });
const observed = z.object({
  observation: z.looseObject({ picture: z.string().optional() }),
  reward: z.number().nullable(),
  done: z.boolean(),
});
const schemas = z.record(z.string(), z.looseObject({}));

onOneNode('OpenEnv', (open) => {
  it('plays an episode of its own client, frame by frame', async () => {
    await using opened = await open();
    const tasks = [await loadTask('tasks/vscode/swap-text-test')];
    await using table = new EpisodeTable({
      ...{ node: opened.node, tasks, capacity: 1, idleMs: 600_000 },
      onProblem: assert.fail,
    });
    await using server = await openServer(openEnvRoutes(table), 0);
    const headers = { Authorization: `Bearer ${server.token}` };
    const described = schemas.parse(
      await (await fetch(`${server.origin}/openenv/schema`, { headers })).json(),
    );

    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/openenv/ws`, { headers });
    await once(socket, 'open');
    const answers: z.output<typeof answerSchema>[] = [];
    for (const [frame, type] of frames) {
      const answered = once(socket, 'message');
      socket.send(frame);
      const [text] = (await answered) as [Buffer];
      const answer = answerSchema.parse(JSON.parse(text.toString()));
      assert.equal(answer.type, type, text.toString().slice(0, 1000));
      answers.push(answer);
    }
    const [reset, wrong, step, called, state, last] = answers.map(({ data }) => data);
    const parts = [reset, step, last].map((data) => observed.parse(data));
    assert.deepEqual(
      parts.map(({ reward, done }) => [reward, done]),
      [
        [null, false],
        [0, false],
        [1, true],
      ],
    );
    parts.forEach(({ observation, reward, done }, at) =>
      z
        .fromJSONSchema(described[at === 0 ? 'reset_observation' : 'observation'] ?? assert.fail())
        .parse({ ...observation, reward, done }),
    );
    z.fromJSONSchema(described['state'] ?? assert.fail()).parse(state);
    const png = Buffer.from(parts[0]?.observation.picture ?? '', 'base64');
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual(parts[0]?.observation['ignored'], ['seed']);
    assert.equal(wrong?.['code'], 'VALIDATION_ERROR');
    assert.match(JSON.stringify(called), /notes\.txt/);
    assert.deepEqual([state?.['episode_id'], state?.['step_count']], ['mine', 2]);

    socket.send('{"type": "close"}');
    await once(socket, 'close');
    assert.equal(table.size, 0);
  });
});
