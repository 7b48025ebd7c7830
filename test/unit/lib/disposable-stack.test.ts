import assert from 'node:assert/strict';
import {
  AsyncDisposableStack as AsyncStack,
  DisposableStack as SyncStack,
} from '../../../host/lib/disposable-stack.ts';

describe('the disposable stacks for a Node without them', () => {
  it('dispose the last resource first, each once', async () => {
    const released: string[] = [];
    const stack = new AsyncStack();
    stack.use({ [Symbol.asyncDispose]: () => Promise.resolve(void released.push('async')) });
    stack.use({ [Symbol.dispose]: () => void released.push('sync') });
    stack.adopt('adopted', (value) => void released.push(value));
    stack.defer(() => void released.push('deferred'));
    await stack.disposeAsync();
    await stack.disposeAsync();
    assert.deepEqual(released, ['deferred', 'adopted', 'sync', 'async']);
    assert.throws(() => stack.defer(() => undefined), ReferenceError);
  });

  it('hand over everything when they are moved', () => {
    const released: number[] = [];
    const stack = new SyncStack();
    stack.defer(() => void released.push(1));
    stack.defer(() => void released.push(2));
    const moved = stack.move();
    stack.dispose();
    assert.deepEqual(released, []);
    moved.dispose();
    assert.deepEqual(released, [2, 1]);
  });

  it('dispose the rest if one fails, then throw', async () => {
    const released: string[] = [];
    const stack = new AsyncStack();
    stack.defer(() => void released.push('first'));
    stack.defer(() => Promise.reject(new Error('no')));
    await assert.rejects(stack.disposeAsync(), /no/);
    assert.deepEqual(released, ['first']);
  });
});
