import assert from 'node:assert/strict';
import { once } from 'node:events';
import { execa } from 'execa';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { episodeRoutes, EpisodeTable, openServer, type Server } from '../../../host/doors/serve/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { cliPath, projectFolder } from '../../support/cli.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';

const apiSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })),
  ),
});
const contentSchema = z.object({
  content: z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) }),
});
const found = z.looseObject({
  episode: z.string().optional(),
  sequence: z.int().optional(),
  step: z.int().nullish(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

const toolNames = z.object({ tools: z.array(z.looseObject({ name: z.string() })) });

/** A program of a user's, with the package from this clone. */
const python = `
import json, pwp_env
client = pwp_env.Client()
[task] = client.tasks()
with client.open(picture="none") as episode:
    try:
        client.open()
        full = None
    except pwp_env.PwpError as error:
        full = error.code
    said = [episode.step(one) for one in ({"tool": "shell", "arguments": {"command": "true"}}, "xdotool nonsense")]
    saved = episode.checkpoint()
    episode.step({"tool": "shell", "arguments": {"command": "touch /workspace/made"}})
    picture = episode.restore(saved, picture="screen").picture
    after = episode.step({"tool": "shell", "arguments": {"command": "ls /workspace"}})
    ran = episode.exec(["sh", "-c", "cat; pwd; exit 3"], stdin="in ")
    episode.write_file("made/file", b"\\0\\xff")
    episode_file = episode.read_file("made/file").hex()
    failures = []
    for path in ("made", "missing"):
        try:
            episode.read_file(path)
        except pwp_env.PwpError as error:
            failures.append(error.code)
    grade = episode.grade()
try:
    episode.observe()
    gone = None
except pwp_env.PwpError as error:
    gone = error.code
print(json.dumps({
    "task": task.id, "instruction": episode.instruction == task.instruction, "full": full,
    "effects": [one.outcomes[0].effect for one in said], "png": picture[:4].hex(),
    "made": "made" in after.outcomes[0].output.split(), "reward": grade.reward, "gone": gone,
    "ran": [ran.exit_code, ran.stdout], "file": episode_file, "failures": failures,
}))
`;

onOneNode('episodes over HTTP', (open) => {
  let opened: OpenedNode;
  let table: EpisodeTable;
  let server: Server;
  const problems: string[] = [];
  before(async () => {
    opened = await open();
    const tasks = [await loadTask('tasks/vscode/swap-text-test')];
    const onProblem = (problem: string) => void problems.push(problem);
    table = new EpisodeTable({ node: opened.node, tasks, capacity: 1, idleMs: 600_000, onProblem });
    server = await openServer(episodeRoutes(table), 0);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await table[Symbol.asyncDispose]();
    await opened[Symbol.asyncDispose]();
  });

  const ask = async (method: string, path: string, body?: unknown, signal?: AbortSignal) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${server.token}` },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const reply = found.parse(await response.json());
    return { ...reply, status: response.status, reply };
  };

  it('are played by the Python package, with the standard library alone', async () => {
    const env = { PYTHONPATH: `${projectFolder}/python`, PWP_SERVER: server.origin, PWP_TOKEN: server.token };
    const { stdout } = await execa('python3', ['-c', python], { env });
    assert.deepEqual(JSON.parse(stdout), {
      task: 'vscode/swap-text-test',
      instruction: true,
      full: 'too-many-episodes',
      effects: ['confirmed', 'refused'],
      png: '89504e47',
      made: false,
      reward: 0,
      ran: [3, 'in /workspace\n'],
      file: '00ff',
      failures: ['exec-failed', 'no-such-file'],
      gone: 'no-such-episode',
    });
    assert.equal(table.size, 0);
  });

  it('do nothing twice for a request that is sent again, and fit their description', async () => {
    const { paths } = apiSchema.parse(
      await (await fetch(`${server.origin}/openapi.json?token=${server.token}`)).json(),
    );
    const fits = (path: string, reply: object) => {
      const { schema } = contentSchema.parse(paths[path]?.['post']?.responses['200']).content[
        'application/json'
      ];
      z.fromJSONSchema(schema).parse(reply);
    };
    const begun = await ask('POST', '/episodes', { picture: 'none' });
    fits('/episodes', begun.reply);
    const place = `/episodes/${begun.episode}`;
    const append = {
      tool: 'shell',
      arguments: { command: 'echo x >> /workspace/lines; cat /workspace/lines' },
    };
    const request = { request: 'one', picture: 'none', actions: [append] };
    const leaving = new AbortController();
    const left = ask('POST', `${place}/step`, request, leaving.signal);
    leaving.abort();
    await assert.rejects(left);
    const [first, again] = await Promise.all([1, 2].map(() => ask('POST', `${place}/step`, request)));
    assert.deepEqual(first, again);
    assert.match(JSON.stringify(first), /"output":"exit code 0\\nx\\n/);
    const step = await ask('POST', `${place}/step`, { ...request, request: 'two' });
    assert.match(JSON.stringify(step), /"output":"exit code 0\\nx\\nx\\n/);
    fits('/episodes/{episode}/step', step.reply);
    assert.deepEqual([first?.step, step.step, first?.sequence, step.sequence], [1, 2, 1, 2]);
    const tool = await ask('POST', `${place}/tool`, { name: 'shell', arguments: { command: 'wc -l lines' } });
    assert.match(JSON.stringify(tool), /"effect":"confirmed".*2 lines/);
    fits('/episodes/{episode}/tool', tool.reply);
    const { tools } = toolNames.parse((await ask('GET', '/tools')).reply);
    assert.deepEqual([tools.length, tools.some(({ name }) => name === 'view_image')], [20, false]);
    const other = { tool: 'view_image', arguments: { path: 'a.png' } };
    const unserved = await ask('POST', `${place}/step`, { picture: 'none', actions: [other] });
    assert.match(
      JSON.stringify(unserved),
      /"effect":"refused","evidence":"the tool \\"view_image\\" is not served/,
    );
    const reused = await ask('POST', `${place}/observe`, { request: 'two' });
    assert.deepEqual([reused.status, reused.error?.code], [400, 'usage']);
    assert.equal((await ask('DELETE', place)).status, 200);
    assert.deepEqual(problems, []);
  });

  it('outlive a WebSocket: another one gets the reply that the first has lost', async () => {
    const connect = async () => {
      const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/episodes?token=${server.token}`);
      await once(socket, 'open');
      const call = async (message: object) => {
        socket.send(JSON.stringify(message));
        const [reply] = (await once(socket, 'message')) as [Buffer];
        return found.parse(JSON.parse(reply.toString()));
      };
      return { socket, call };
    };
    const first = await connect();
    const { episode } = await first.call({ call: 'open', request: 'a', picture: 'none' });
    const shell = {
      name: 'shell',
      arguments: { command: 'echo x >> /workspace/lines; cat /workspace/lines' },
    };
    const request = { call: 'tool', episode, request: 'b', ...shell };
    first.socket.send(JSON.stringify(request));
    first.socket.terminate();
    const second = await connect();
    const [reply, again] = [await second.call(request), await second.call(request)];
    assert.deepEqual(reply, again);
    assert.match(
      JSON.stringify(reply),
      /"request":"b".*"output":"exit code 0\\nx"|"output":"exit code 0\\nx\\n"/,
    );
    const refusals = [
      [{ call: 'dance', request: 'c' }, 'usage'],
      [{ call: 'step', request: 'd', episode, actions: 'none' }, 'usage'],
      [{ call: 'close', request: 'e', episode: 'none' }, 'no-such-episode'],
    ] as const;
    for (const [message, code] of refusals) {
      const refused = await second.call(message);
      assert.deepEqual([refused.error?.code, refused['request']], [code, message.request]);
    }
    assert.equal((await second.call({ call: 'close', request: 'f', episode })).episode, episode);
    second.socket.terminate();
    assert.equal(table.size, 0);
  });

  it('end with the program that started their server, even if it is killed', async () => {
    const starter = `
import os, signal, pwp_env
client = pwp_env.start("tasks/vscode/swap-text-test", command=${JSON.stringify([process.execPath, cliPath])})
print(client.health()["status"], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
`;
    const env = { PYTHONPATH: `${projectFolder}/python` };
    // The server has the starter's standard error: that ends with both.
    const { stdout, signal } = await execa('python3', ['-c', starter], {
      env,
      cwd: projectFolder,
      reject: false,
    });
    assert.deepEqual([stdout, signal], ['healthy', 'SIGKILL']);
  });

  it('refuse what is not valid, by a code', async () => {
    const refusals = [
      ['POST', '/episodes', '{', 400, 'usage'],
      ['POST', '/episodes', { task: 'other' }, 404, 'no-such-task'],
      ['POST', '/episodes', { tasks: 'other' }, 400, 'usage'],
      ['POST', '/episodes/none/step', { actions: [] }, 404, 'no-such-episode'],
      ['POST', '/episodes/none/dance', {}, 400, 'usage'],
      ['POST', '/episodes/none/fork', { count: 1000 }, 400, 'usage'],
      ['POST', '/episodes/none/step', ' '.repeat(5 * 1024 * 1024), 413, 'too-large'],
      ['DELETE', '/episodes/none', undefined, 404, 'no-such-episode'],
    ] as const;
    for (const [method, path, body, status, code] of refusals) {
      const refused = await ask(method, path, body);
      assert.deepEqual([refused.status, refused.error?.code], [status, code], `${method} ${path}`);
    }
    assert.equal((await fetch(`${server.origin}/tasks`)).status, 401);
    const foreign = { headers: { Origin: 'http://evil.example', Authorization: `Bearer ${server.token}` } };
    assert.equal((await fetch(`${server.origin}/tasks`, foreign)).status, 403);
  });
});
