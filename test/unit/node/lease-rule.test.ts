import assert from 'node:assert/strict';
import type { PwpError } from '../../../bridge/lib/index.ts';
import type { Person } from '../../../host/node/index.ts';
import { noLease, type LeaseRecord } from '../../../host/node/local/lease/record.ts';
import * as rule from '../../../host/node/local/lease/rule.ts';

const ada: Person = { kind: 'person', id: 'ada', name: 'Ada' };
const bob: Person = { kind: 'person', id: 'bob', name: 'Bob' };
const agent = { kind: 'agent', id: 'agent', name: 'Agent' } as const;
const process = { pid: 1, startTime: '1' };

const at = (ms: number) => ({ ms, iso: '2026-01-02T03:04:05.000Z' });

function taken(
  record: LeaseRecord,
  actor: Person,
  hold: string,
  { force = false, ms = 0 } = {},
): LeaseRecord {
  return rule.take(record, { hold, actor, ttlMs: 60_000, letsWatch: false, process }, force, at(ms));
}

function errorOf(error: PwpError | undefined): { code?: string; message?: string } {
  return { ...(error && { code: error.code, message: error.message }) };
}

describe('the rule of the lease', () => {
  it('lets agents act while no one holds it, and refuses them while a person does', () => {
    assert.equal(rule.refusal(noLease, undefined), undefined);
    const held = taken(noLease, ada, 'a');
    assert.equal(rule.refusal(held, 'a'), undefined);
    assert.deepEqual(errorOf(rule.refusal(held, undefined)), {
      code: 'control-held',
      message: 'Ada has control since 03:04:05 UTC; agents may not act',
    });
    const free = rule.end(held, 'a', 'given', ada, at(1));
    assert.equal(rule.refusal(free, undefined), undefined);
  });

  it('has one holder: another person is refused, or takes it by force and the first learns who', () => {
    const held = taken(noLease, ada, 'a');
    assert.throws(() => taken(held, bob, 'b'), { code: 'control-held', message: /Ada/ });
    const forced = taken(held, bob, 'b', { force: true });
    assert.equal(rule.refusal(forced, 'b'), undefined);
    assert.deepEqual(errorOf(rule.refusal(forced, 'a')), {
      code: 'control-lost',
      message: 'control was taken by Bob',
    });
    // Still so after Bob has given it back.
    const free = rule.end(forced, 'b', 'given', bob, at(1));
    assert.match(rule.refusal(free, 'a')?.message ?? '', /taken by Bob/);
    assert.match(rule.refusal(free, 'b')?.message ?? '', /given back/);
  });

  it('lets a person take it from themselves, as in a reopened page', () => {
    const again = taken(taken(noLease, ada, 'a'), ada, 'b');
    assert.equal(again.holder?.hold, 'b');
    assert.equal(rule.refusal(again, 'a')?.code, 'control-lost');
  });

  it('ends after its time to live without use, which restarts with each use', () => {
    const held = taken(noLease, ada, 'a', { ms: 1000 });
    const holder = held.holder ?? assert.fail();
    assert.equal(rule.leftMs(holder, null, at(61_000)), 0);
    assert.equal(rule.leftMs(holder, { hold: 'a', atMs: 31_000 }, at(61_000)), 30_000);
    assert.ok(rule.leftMs(holder, { hold: 'a', atMs: 31_000 }, at(91_001)) < 0);
    // The last use of an earlier lease does not count for this one.
    assert.equal(rule.leftMs(holder, { hold: 'z', atMs: 50_000 }, at(61_000)), 0);
  });

  it('counts each end, of any kind, as a turn, and requires an agent to look after it', () => {
    let record = noLease;
    for (const how of ['given', 'expired', 'ended', 'revoked'] as const)
      record = rule.end(taken(record, ada, how), how, how, how === 'revoked' ? bob : null, at(5));
    assert.equal(record.turns, 4);
    assert.deepEqual(record.last, { how: 'revoked', from: ada, by: bob, at: at(5).iso });
    assert.equal(rule.stateOf(record, null, at(5)).looked, 0);
    const seen = rule.looked(record, 4);
    assert.equal(seen.looked, 4);
    assert.equal(rule.looked(seen, 3), seen);
    assert.equal(rule.looked(seen, 99), seen);
  });

  it('releases keys at every change of holder, and only then', () => {
    const held = taken(noLease, ada, 'a');
    assert.equal(held.settled, false);
    const settled = rule.settle(held);
    assert.equal(settled.settled, true);
    const free = rule.end(settled, 'a', 'given', ada, at(1));
    assert.equal(free.settled, false);
    assert.equal(rule.request(free, bob, 'please', at(1)).settled, false);
    assert.equal(rule.end(free, 'a', 'expired', null, at(2)), free);
  });

  it('lists requests, one per person, until they are withdrawn, granted or an hour old', () => {
    let record = rule.request(taken(noLease, ada, 'a'), bob, 'my turn', at(0));
    record = rule.request(record, agent, '', at(10));
    record = rule.request(record, bob, 'please', at(20));
    const names = (ms: number) => rule.stateOf(record, null, at(ms)).requests.map(({ why }) => why);
    assert.deepEqual(names(30), ['', 'please']);
    assert.deepEqual(names(3_600_015), ['please']);
    record = taken(record, bob, 'b', { force: true, ms: 40 });
    assert.deepEqual(names(50), ['']);
    record = rule.withdraw(record, 'agent');
    assert.deepEqual(names(50), []);
    assert.equal(rule.withdraw(record, 'agent'), record);
  });

  it('lets agents look only if the holder allows it', () => {
    const held = taken(noLease, ada, 'a');
    assert.match(rule.refusal(held, undefined)?.help ?? '', /can not look/);
    const open = rule.letWatch(held, 'a', true);
    assert.match(rule.refusal(open, undefined)?.help ?? '', /may look/);
    assert.equal(rule.letWatch(open, 'a', true), open);
    assert.throws(() => rule.letWatch(open, 'b', true), { code: 'control-lost' });
  });

  it('keeps no secret in its public state', () => {
    assert.ok(!JSON.stringify(rule.stateOf(taken(noLease, ada, 'secret'), null, at(0))).includes('secret'));
  });

  it('keeps bounded lists', () => {
    let record = noLease;
    for (let i = 0; i < 100; i += 1) {
      record = taken(record, { ...ada, id: `p${i}` }, `h${i}`, { force: true });
      record = rule.request(record, { ...agent, id: `r${i}` }, 'x', at(i));
    }
    assert.equal(record.lost.length, 20);
    assert.equal(record.requests.length, 20);
  });
});
