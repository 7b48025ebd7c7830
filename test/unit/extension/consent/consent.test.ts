import assert from 'node:assert/strict';
import { toolErrorReason } from '../../../../bridge/protocol/index.ts';
import type { ActionClass, WantedCall } from '../../../../extension/src/consent/action-question.ts';
import {
  ClientConsent,
  type ConsentAnswer,
  WindowConsent,
} from '../../../../extension/src/consent/permissions.ts';

const neverEnds = new AbortController().signal;
const refused = (error: unknown) => toolErrorReason(error) === 'not-allowed';

/** A person who is asked, and answers when the test does. */
class Person {
  readonly #open: { readonly wanted: WantedCall; readonly answer: (answer: ConsentAnswer) => void }[] = [];
  asked = 0;

  readonly ask = (wanted: WantedCall): Promise<ConsentAnswer> => {
    this.asked += 1;
    return new Promise((answer) => void this.#open.push({ wanted, answer }));
  };

  /** The calls that the current question shows. */
  get shown(): readonly unknown[] {
    return this.#open.map(({ wanted }) => wanted.arguments.path);
  }

  answers(answer: ConsentAnswer): void {
    this.#open.shift()?.answer(answer);
  }
}

describe("the consent to calls in a person's own window", () => {
  let person: Person;
  let window: WindowConsent;
  let client: ClientConsent;
  beforeEach(() => {
    person = new Person();
    window = new WindowConsent();
    client = new ClientConsent(window, person.ask);
  });

  const want = (path: string, actionClass: ActionClass = 'files'): WantedCall => ({
    client: 'test',
    tool: 'write_file',
    arguments: { path },
    actionClass,
  });
  const require = (path: string, actionClass?: ActionClass, signal = neverEnds) =>
    client.require(want(path, actionClass), signal);

  it('is for one call if it is given once', async () => {
    for (const path of ['a', 'b']) {
      const call = require(path);
      assert.deepEqual(person.shown, [path]);
      person.answers('once');
      await call;
    }
    assert.equal(person.asked, 2);
  });

  it('is for a class of actions of one client if it is given for the session', async () => {
    const call = require('a');
    person.answers('session');
    await call;
    await require('b');
    assert.equal(person.asked, 1);
    void require('c', 'run').catch(() => undefined);
    const other = new ClientConsent(window, person.ask);
    void other.require(want('d'), neverEnds).catch(() => undefined);
    assert.equal(person.asked, 3);
  });

  it('is refused to all clients of the window after "never", without a question, until it is reset', async () => {
    const call = require('a');
    person.answers('never');
    await assert.rejects(call, refused);
    const other = new ClientConsent(window, person.ask);
    await assert.rejects(other.require(want('b'), neverEnds), /pwp\.resetConsent/);
    assert.equal(person.asked, 1);
    window.reset();
    const again = require('c');
    person.answers('once');
    await again;
  });

  it('is refused if the question is dismissed, and asked for again', async () => {
    const call = require('a');
    person.answers('dismissed');
    await assert.rejects(call, refused);
    void require('b').catch(() => undefined);
    assert.equal(person.asked, 2);
  });

  it('is one question for simultaneous calls', async () => {
    const calls = Promise.all(['a', 'b', 'c'].map((path) => require(path)));
    assert.deepEqual(person.shown, ['a']);
    person.answers('session');
    await calls;
    assert.equal(person.asked, 1);
  });

  it('is refused to all waiting calls if the question is dismissed', async () => {
    const calls = ['a', 'b'].map((path) => require(path));
    person.answers('dismissed');
    for (const { status } of await Promise.allSettled(calls)) assert.equal(status, 'rejected');
    assert.equal(person.asked, 1);
  });

  it('given once does not cover calls that the person was not shown', async () => {
    const shown = require('a');
    const hidden = require('b');
    person.answers('once');
    await shown;
    assert.deepEqual(person.shown, ['b']);
    person.answers('dismissed');
    await assert.rejects(hidden, refused);
  });

  it('comes too late for a cancelled call, and is not passed on to another', async () => {
    const cancelling = new AbortController();
    const gone = require('a', 'files', cancelling.signal);
    const waits = require('b');
    cancelling.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    assert.deepEqual(person.shown, ['a']);
    person.answers('once');
    // Resolves in this turn or never.
    await new Promise(setImmediate);
    assert.deepEqual(person.shown, ['b']);
    person.answers('once');
    await waits;
  });

  it('for a session ends when all sessions are ended', async () => {
    const call = require('a');
    person.answers('session');
    await call;
    window.endSessions();
    void require('b').catch(() => undefined);
    assert.deepEqual(person.shown, ['b']);
  });

  it('can be asked for again if the question itself failed', async () => {
    const failing = new ClientConsent(window, () => Promise.reject(new Error('no window')));
    for (const path of ['a', 'b']) await assert.rejects(failing.require(want(path), neverEnds), /no window/);
  });
});
