import assert from 'node:assert/strict';
import { memoryPair } from '../../../bridge/rpc/transport.ts';

const arrived = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('memory transport', () => {
  it('keeps messages that arrive before there is a receiver, in order', async () => {
    const [left, right] = memoryPair();
    left.send('one');
    left.send('two');
    await arrived();
    const received: (string | Buffer)[] = [];
    right.onMessage((message) => received.push(message));
    left.send('three');
    left.send(Buffer.from('four'));
    await arrived();
    assert.deepEqual(received, ['one', 'two', 'three', Buffer.from('four')]);
  });

  it('ends on both sides, once, and sends nothing afterwards', async () => {
    const [left, right] = memoryPair();
    const ends: string[] = [];
    left.onEnd(() => ends.push('left'));
    right.onEnd(() => ends.push('right'));
    const received: unknown[] = [];
    right.onMessage((message) => received.push(message));
    await left.close();
    await right.close();
    left.send('late');
    await arrived();
    assert.deepEqual(ends, ['left', 'right']);
    assert.deepEqual(received, []);
  });

  it('gives the reason of an end to the side that closed it', async () => {
    const [left, right] = memoryPair();
    const reasons: unknown[] = [];
    left.onEnd((reason) => reasons.push(reason?.message));
    right.onEnd((reason) => reasons.push(reason?.message));
    await left.close(new Error('enough'));
    assert.deepEqual(reasons, ['enough', undefined]);
  });

  it('reports an earlier end', async () => {
    const [left, right] = memoryPair();
    await left.close();
    let reported = false;
    right.onEnd(() => (reported = true));
    assert.ok(reported);
  });
});
