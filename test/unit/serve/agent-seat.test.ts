import assert from 'node:assert/strict';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AgentServer } from '../../../host/doors/serve/mcp/agent-server.ts';
import type { ClientModel, FunctionTool, MessageContent } from '../../../host/run/index.ts';
import type { CallResult } from '../../../host/run/models/model.ts';
import { imagesOf, McpClient, textOf } from '../../support/mcp-client.ts';

const tool = (name: string): FunctionTool => ({ name, description: name, schema: { type: 'object' } });
const tools = [tool('act'), tool('finish')];
const task: readonly MessageContent[] = [
  { kind: 'text', text: 'Write a poem.' },
  { kind: 'image', bytes: new Uint8Array([1, 2, 3]), mime: 'image/png' },
];
const never = new AbortController().signal;

describe("an agent's seat", () => {
  let seat: AgentServer;
  beforeEach(async () => {
    const options = { system: 'Be brief.', finish: 'finish', port: 0, graceMs: 50 };
    seat = await AgentServer.open(options);
  });
  afterEach(() => seat[Symbol.asyncDispose]());

  /** A client, and the model it acts as. */
  async function sit(): Promise<{ readonly client: McpClient; readonly model: ClientModel }> {
    const client = await McpClient.connect(transportTo(seat));
    return { client, model: await seat.taken(never) };
  }

  const first = (model: ClientModel) =>
    model.turn({ system: '', tools, messages: [{ role: 'user', content: task }] });
  const next = (model: ClientModel, results: readonly CallResult[]) =>
    model.turn({ system: '', tools, messages: [{ role: 'results', results }] });
  const done = (id: string, text: string): CallResult => ({
    id,
    failed: false,
    content: [{ kind: 'text', text }],
  });

  it('gives its client instructions, tools and the task, once the episode has begun', async () => {
    const { client, model } = await sit();
    assert.match(client.client.getInstructions() ?? '', /^Be brief\.\n\n.*get_task/);
    const listing = client.client.listTools();
    const turn = first(model);
    assert.deepEqual(
      (await listing).tools.map(({ name }) => name),
      ['get_task', 'act', 'finish'],
    );
    const reported = await client.call('get_task');
    assert.deepEqual([textOf(reported), imagesOf(reported)[0]?.data], ['Write a poem.', 'AQID']);
    assert.equal(model.name, 'test 1');
    model.end('enough');
    assert.equal((await turn).stop, 'end');
  });

  it('makes a turn of each call, in order, and answers it with the outcome', async () => {
    const { client, model } = await sit();
    const turn = first(model);
    const calls = [client.call('act', { actions: ['a'] }), client.call('act', { actions: ['b'] })];
    const { message } = await turn;
    const [one] = message.blocks;
    assert.ok(one?.kind === 'call');
    assert.deepEqual([one.name, one.arguments], ['act', { actions: ['a'] }]);
    const second = await next(model, [{ ...done(one.id, 'no such mark'), failed: true }]);
    const [two] = second.message.blocks;
    assert.ok(two?.kind === 'call');
    assert.deepEqual(two.arguments, { actions: ['b'] });
    const third = next(model, [done(two.id, 'typed')]);
    const answers = await Promise.all(calls);
    assert.deepEqual(
      answers.map((answer) => [textOf(answer), answer.isError ?? false]),
      [
        ['no such mark', true],
        ['typed', false],
      ],
    );
    model.end('enough');
    await third;
  });

  it('lets its client finish with a tool, which does not wait for the score', async () => {
    const { client, model } = await sit();
    const turn = first(model);
    assert.match(await client.text('finish', { summary: 'There.' }), /over/);
    const [said] = (await turn).message.blocks;
    assert.ok(said?.kind === 'call');
    assert.deepEqual([said.name, said.arguments], ['finish', { summary: 'There.' }]);
  });

  it('answers calls after the end, and calls waiting at it', async () => {
    const { client, model } = await sit();
    const turn = first(model);
    const [taken, waiting] = [client.call('act'), client.call('act')];
    await turn;
    model.end('The episode is over.');
    assert.deepEqual([(await taken).isError ?? false, textOf(await taken)], [false, 'The episode is over.']);
    assert.equal((await waiting).isError, true);
    assert.equal(await client.refusal('act'), 'The episode is over.');
  });

  it('refuses a second client', async () => {
    await sit();
    await assert.rejects(McpClient.connect(transportTo(seat)), /already initialized/);
  });

  it('reports that the client has left when it ends its session', async () => {
    const { client, model } = await sit();
    const turn = first(model);
    const { transport } = client.client;
    assert.ok(transport instanceof StreamableHTTPClientTransport);
    await transport.terminateSession();
    assert.deepEqual((await turn).message.blocks, [{ kind: 'text', text: 'The client has gone.' }]);
  });

  it('reports that the client has left when it closes its stream and stays away', async () => {
    const { client, model } = await sit();
    const turn = first(model);
    const id = client.client.transport?.sessionId ?? '';
    const headers = { ...bearer(seat), Accept: 'text/event-stream', 'Mcp-Session-Id': id };
    // The client opens one too: the second one is refused, and one was open.
    const stream = await fetch(`${seat.server.origin}/mcp`, { headers });
    await stream.body?.cancel();
    await client.client.close();
    assert.deepEqual((await turn).message.blocks, [{ kind: 'text', text: 'The client has gone.' }]);
  });

  it('ends while a call waits, and the caller gets an answer', async () => {
    const { client, model } = await sit();
    const turn = first(model);
    const call = client.call('act');
    await turn;
    await seat[Symbol.asyncDispose]();
    assert.equal(textOf(await call), 'The episode is over.');
  });
});

function transportTo(seat: AgentServer): Transport {
  const requestInit = { headers: bearer(seat) };
  const url = new URL(`${seat.server.origin}/mcp`);
  return new StreamableHTTPClientTransport(url, { requestInit });
}

function bearer({ server }: AgentServer) {
  return { Authorization: `Bearer ${server.token}` };
}
