import assert from 'node:assert/strict';
import * as z from 'zod';
import {
  episodeRoutes,
  EpisodeTable,
  nemoGymRoutes,
  openServer,
  orsRoutes,
  osworldRoutes,
  type Server,
} from '../../../host/doors/serve/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';

const task = 'vscode/swap-text-test';
const solution = `sed -i 's/text/\\x01/g; s/test/text/g; s/\\x01/test/g' notes.txt`;

type Asked = readonly [method: 'GET' | 'POST', path: string, body?: object];

/** What the client of ors-sdk 0.1 sends for an episode, with its headers. */
const orsHeaders = { Accept: 'text/event-stream', 'User-Agent': 'ors-sdk/0.1.0' };
const orsEpisode: readonly Asked[] = [
  ['POST', '/create', { task_spec: { id: task, instruction: 'Swap' }, env_name: 'pwp' }],
  ['POST', '/ping'],
  ['GET', '/pwp/prompt'],
  ['GET', '/pwp/task_tools'],
  ['POST', '/pwp/call', { name: 'act', input: { actions: ['xdotool key ctrl+p'], picture: 'marks' } }],
  ['POST', '/pwp/call', { name: 'shell', input: { command: solution, timeoutMs: null } }],
  ['POST', '/pwp/call', { name: 'submit', input: {} }],
  ['POST', '/pwp/call', { name: 'act', input: { actions: ['xdotool key a'] } }],
  ['POST', '/delete'],
  ['POST', '/delete_session'],
];

/** What the controller of desktop-env 1.0 sends. */
const preamble = 'import pyautogui; import time; pyautogui.FAILSAFE = False; ';
const osworldPrograms: readonly (readonly [program: string, returncode: number, output: string])[] = [
  [`${preamble}pyautogui.hotkey('ctrl', 'n')`, 0, ''],
  [`${preamble}pyautogui.typewrite('it\\'s "typed"')`, 0, ''],
  [`${preamble}pyautogui.moveTo(900, 600, 0.9420371257374529, pyautogui.easeOutQuad)`, 0, ''],
  [`${preamble}import platform; print(platform.system())`, 0, 'Linux\n'],
  [`${preamble}import sys; print('é'); sys.exit("'") # (`, 1, 'é\n'],
];

const blocks = z.array(
  z.object({ type: z.string(), text: z.string().optional(), data: z.string().optional() }),
);
const orsAnswer = z.object({
  output: z.object({ blocks, reward: z.number().nullable(), finished: z.boolean() }),
});
const executed = z.object({ output: z.string(), error: z.string(), returncode: z.int() });
const stepped = z.object({
  reward: z.number(),
  terminated: z.boolean(),
  info: z.object({ tool_outputs: z.array(z.object({ call_id: z.string(), output: z.string() })) }),
});

onOneNode('episodes for trainers and other agents', (open) => {
  let opened: OpenedNode;
  let table: EpisodeTable;
  let server: Server;
  before(async () => {
    opened = await open();
    table = new EpisodeTable({
      ...{ node: opened.node, tasks: [await loadTask(`tasks/${task}`)], capacity: 2, idleMs: 600_000 },
      onProblem: (problem) => assert.fail(problem),
    });
    const own = { ...nemoGymRoutes(table), ...osworldRoutes(table), ...episodeRoutes(table) };
    server = await openServer(orsRoutes(table, own), 0);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await table[Symbol.asyncDispose]();
    await opened[Symbol.asyncDispose]();
  });

  const ask = async ([method, path, body]: Asked, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${server.origin}${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, text: bytes.toString('utf8'), headers: response.headers };
  };

  it('are played over the Open Reward Standard', async () => {
    const headers = { ...orsHeaders, 'X-API-Key': server.token };
    const created = await ask(['POST', '/create_session', {}], headers);
    const sid = /^data: (\S+)$/m.exec(created.text)?.[1] ?? '';
    const replies: string[] = [];
    for (const asked of orsEpisode) {
      const { status, text } = await ask(asked, { ...headers, 'X-Session-ID': sid });
      assert.equal(status, 200, `${asked[1]}: ${text}`);
      const pieces = [...text.matchAll(/^event: (?:chunk|end)\ndata: ?(.*)$/gm)].map(([, data = '']) => data);
      replies.push(asked[1] === '/pwp/call' ? pieces.map((piece) => piece.trimStart()).join('') : text);
    }
    const [, , prompt = '', , acted = '', , graded = '', late = ''] = replies;
    const [instruction, screen, picture] = blocks.parse(JSON.parse(prompt));
    assert.match(`${instruction?.text} ${screen?.text}`, /^Swap the words.*notes\.txt/s);
    assert.ok(picture?.data?.startsWith('iVBOR'));
    const seen = orsAnswer.parse(JSON.parse(acted)).output;
    assert.deepEqual(
      [...seen.blocks.map(({ type }) => type), seen.reward, seen.finished],
      ['text', 'image', null, false],
    );
    assert.partialDeepStrictEqual(JSON.parse(graded), { output: { reward: 1, finished: true } });
    assert.partialDeepStrictEqual(JSON.parse(late), { ok: false, reason: 'episode_finished' });
    assert.equal(table.size, 0);
  });

  it("are driven over OSWorld's routes", async () => {
    const { episode } = await table.open({ task, picture: 'none' });
    const headers = {
      Authorization: `Basic ${Buffer.from(`${episode}:${server.token}`).toString('base64')}`,
      'User-Agent': 'python-requests/2.34.2',
    };
    for (const [program, returncode, output] of osworldPrograms) {
      const asked: Asked = ['POST', '/execute', { command: ['python', '-c', program], shell: false }];
      const found = executed.parse(JSON.parse((await ask(asked, headers)).text));
      assert.deepEqual([found.returncode, found.output], [returncode, output], `${program}: ${found.error}`);
    }
    assert.equal((await ask(['POST', '/screen_size'], headers)).text, '{"width":1920,"height":1080}');
    assert.match((await ask(['GET', '/accessibility'], headers)).text, /it&#39;s &#34;typed&#34;/);
    assert.equal((await ask(['GET', '/screenshot'], headers)).text.slice(1, 4), 'PNG');
    await table.close(episode);
    assert.equal((await ask(['GET', '/screenshot'], headers)).status, 404);
  });

  slowIt('are played by the servers of NeMo Gym', async () => {
    const headers = { Authorization: `Basic ${Buffer.from(`nemo:${server.token}`).toString('base64')}` };
    const row = { responses_create_params: { input: [] }, task };
    const begun = await ask(['POST', '/reset', row], headers);
    const [cookie = ''] = begun.headers.getSetCookie();
    const calls = Object.entries({ shell: { command: solution }, submit: {} }).map(([name, given]) => ({
      ...{ type: 'function_call', call_id: `call_${name}`, name, arguments: JSON.stringify(given) },
    }));
    const asked: Asked = ['POST', '/step', { ...row, response: { id: 'resp_1', output: calls } }];
    const { text } = await ask(asked, { ...headers, Cookie: cookie.split(';', 1)[0] ?? '' });
    const { reward, terminated, info } = stepped.parse(JSON.parse(text));
    assert.deepEqual([reward, terminated], [1, true]);
    assert.match(info.tool_outputs[0]?.output ?? '', /exit code 0/);
    assert.equal(table.size, 0);
  });
});
