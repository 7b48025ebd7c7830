import assert from 'node:assert/strict';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { ErrorCode, limits, RpcError, toolError, toolErrorReason } from '../../../bridge/protocol/index.ts';
import { defineTool } from '../../../bridge/protocol/tools/tool.ts';
import { type ToolContext, ToolHandlers } from '../../../bridge/rpc/index.ts';

const double = defineTool({
  name: 'double',
  title: 'Double',
  description: 'Doubles a number.',
  family: 'data',
  where: 'bridge',
  readOnly: true,
  sources: [],
  input: z.strictObject({ value: z.number().default(1).describe('to double') }),
  output: z.object({ value: z.number().max(100), note: z.string().optional() }),
});
const never = new AbortController().signal;

type Run = (input: { value: number }, context: ToolContext) => Promise<{ value: number; note?: string }>;

async function call(run: Run, given: Record<string, unknown> = {}, signal = never) {
  const handlers = new ToolHandlers().add(double, run);
  return handlers.call({ name: 'double', arguments: given }, signal);
}

const fails = (reason: string) => (error: unknown) => {
  assert.equal(toolErrorReason(error), reason, String(error));
  return true;
};

describe('handlers of tools', () => {
  it('get validated input with its defaults, and return validated results with pictures', async () => {
    const image = { mime: 'image/png', base64: 'AAAA', title: 'a' } as const;
    const answer = await call(({ value }, context) => {
      context.attach(image);
      return Promise.resolve({ value: value * 2 });
    });
    assert.deepEqual(answer, { result: { value: 2 }, images: [image] });
  });

  it('are not called with invalid input', async () => {
    const run = () => Promise.reject(new Error('called'));
    await assert.rejects(call(run, { value: 'x' }), fails('bad-arguments'));
    await assert.rejects(call(run, { valu: 1 }), fails('bad-arguments'));
    await assert.rejects(call(run, { valu: 1 }), /did you mean value instead of "valu"/);
    await assert.rejects(call(run, { zzz: 1 }), /it takes value/);
    await assert.rejects(new ToolHandlers().call({ name: 'x', arguments: {} }, never), fails('unknown-tool'));
  });

  it('are not called where they are forbidden, for any arguments', async () => {
    const forbid = ({ name }: { readonly name: string }) => {
      throw toolError('restricted-mode', `${name}: not here`);
    };
    const handlers = new ToolHandlers(forbid).add(double, () => Promise.reject(new Error('called')));
    for (const given of [{}, { value: 'x' }])
      await assert.rejects(
        handlers.call({ name: 'double', arguments: given }, never),
        fails('restricted-mode'),
      );
  });

  it('fail if their result is invalid or too large', async () => {
    await assert.rejects(
      call(() => Promise.resolve({ value: 101 })),
      fails('failed'),
    );
    const note = 'x'.repeat(limits.toolResult);
    await assert.rejects(
      call(() => Promise.resolve({ value: 1, note })),
      fails('too-large'),
    );
  });

  it('fail with a reason, for any thrown value', async () => {
    const throwing = (error: Error) => call(() => Promise.reject(error));
    await assert.rejects(throwing(new PwpError('timeout', 'too slow')), fails('timed-out'));
    await assert.rejects(throwing(new TypeError('a bug')), fails('failed'));
  });

  it('report their cancellation', async () => {
    const controller = new AbortController();
    const run: Run = (_, { signal }) => {
      controller.abort();
      return Promise.reject(signal.reason as Error);
    };
    await assert.rejects(
      call(run, {}, controller.signal),
      (error) => error instanceof RpcError && error.code === ErrorCode.Cancelled,
    );
  });
});
