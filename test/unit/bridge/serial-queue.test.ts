import assert from 'node:assert/strict';
import { SerialQueue } from '../../../bridge/lib/index.ts';

describe('a serial queue', () => {
  it('runs one task at a time, in the order of the calls', async () => {
    const queue = new SerialQueue();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = (name: string, until: Promise<void>) => async () => {
      log.push(`${name} begins`);
      await until;
      log.push(`${name} ends`);
      return name;
    };
    const all = [queue.run(work('one', gate.promise)), queue.run(work('two', Promise.resolve()))];
    assert.equal(queue.size, 2);
    gate.resolve();
    assert.deepEqual(await Promise.all(all), ['one', 'two']);
    assert.deepEqual(log, ['one begins', 'one ends', 'two begins', 'two ends']);
    assert.equal(queue.size, 0);
  });

  it('continues after one that fails', async () => {
    const queue = new SerialQueue();
    const failed = assert.rejects(
      queue.run(() => Promise.reject(new Error('first'))),
      /first/,
    );
    assert.equal(await queue.run(() => Promise.resolve(2)), 2);
    await failed;
    await queue.settled();
  });

  it('never starts a task that was cancelled while it waited, and lets no other overtake', async () => {
    const queue = new SerialQueue();
    const gate = Promise.withResolvers<void>();
    const log: string[] = [];
    const note = (name: string) => () => Promise.resolve(log.push(name));
    const first = queue.run(async () => {
      await gate.promise;
      log.push('first');
    });
    const giveUp = new AbortController();
    const second = queue.run(note('second'), giveUp.signal);
    const third = queue.run(note('third'), giveUp.signal);
    const fourth = queue.run(note('fourth'));
    giveUp.abort(new Error('enough'));
    await assert.rejects(second, /enough/);
    await assert.rejects(third, /enough/);
    assert.deepEqual(log, []);
    gate.resolve();
    await Promise.all([first, fourth]);
    assert.deepEqual(log, ['first', 'fourth']);
  });

  it('lets a started task end, even if its signal fires', async () => {
    const queue = new SerialQueue();
    const gate = Promise.withResolvers<number>();
    const begun = Promise.withResolvers<void>();
    const cancel = new AbortController();
    const running = queue.run(() => {
      begun.resolve();
      return gate.promise;
    }, cancel.signal);
    await begun.promise;
    cancel.abort();
    gate.resolve(1);
    assert.equal(await running, 1);
  });
});
