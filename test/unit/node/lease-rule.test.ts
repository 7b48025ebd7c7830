import assert from 'node:assert/strict';
import type { PwpError } from '../../../bridge/lib/index.ts';
import * as rule from '../../../host/node/control/lease-rules.ts';
import { type LeaseRecord, noLease } from '../../../host/node/control/lease-rules.ts';
import type { Person } from '../../../host/node/index.ts';

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
  return rule.takeLease(record, { hold, actor, ttlMs: 60_000, letsWatch: false, process }, force, at(ms));
}

function errorOf(error: PwpError | undefined): { code?: string; message?: string } {
  return { ...(error && { code: error.code, message: error.message }) };
}

describe('the rule of the lease', () => {
  it('lets agents act while no one holds it, and refuses them while a person does', () => {
    assert.equal(rule.findLeaseRefusal(noLease, undefined), undefined);
    const held = taken(noLease, ada, 'a');
    assert.equal(rule.findLeaseRefusal(held, 'a'), undefined);
    assert.deepEqual(errorOf(rule.findLeaseRefusal(held, undefined)), {
      code: 'control-held',
      message: 'Ada has control since 03:04:05 UTC; agents may not act',
    });
    const free = rule.endLease(held, 'a', 'given', ada, at(1));
    assert.equal(rule.findLeaseRefusal(free, undefined), undefined);
  });

  it('has one holder: another person is refused, or takes it by force and the first learns who', () => {
    const held = taken(noLease, ada, 'a');
    assert.throws(() => taken(held, bob, 'b'), { code: 'control-held', message: /Ada/ });
    const forced = taken(held, bob, 'b', { force: true });
    assert.equal(rule.findLeaseRefusal(forced, 'b'), undefined);
    assert.deepEqual(errorOf(rule.findLeaseRefusal(forced, 'a')), {
      code: 'control-lost',
      message: 'control was taken by Bob',
    });
    // Still so after Bob has given it back.
    const free = rule.endLease(forced, 'b', 'given', bob, at(1));
    assert.match(rule.findLeaseRefusal(free, 'a')?.message ?? '', /taken by Bob/);
    assert.match(rule.findLeaseRefusal(free, 'b')?.message ?? '', /given back/);
  });

  it('lets a person take it from themselves, as in a reopened page', () => {
    const again = taken(taken(noLease, ada, 'a'), ada, 'b');
    assert.equal(again.holder?.hold, 'b');
    assert.equal(rule.findLeaseRefusal(again, 'a')?.code, 'control-lost');
  });

  it('ends after its time to live without use, which restarts with each use', () => {
    const held = taken(noLease, ada, 'a', { ms: 1000 });
    const holder = held.holder ?? assert.fail();
    assert.equal(rule.computeLeftMs(holder, null, at(61_000)), 0);
    assert.equal(rule.computeLeftMs(holder, { hold: 'a', atMs: 31_000 }, at(61_000)), 30_000);
    assert.ok(rule.computeLeftMs(holder, { hold: 'a', atMs: 31_000 }, at(91_001)) < 0);
    // The last use of an earlier lease does not count for this one.
    assert.equal(rule.computeLeftMs(holder, { hold: 'z', atMs: 50_000 }, at(61_000)), 0);
  });

  it('counts each end, of any kind, as a turn, and requires an agent to look after it', () => {
    let record = noLease;
    for (const how of ['given', 'expired', 'ended', 'revoked'] as const)
      record = rule.endLease(taken(record, ada, how), how, how, how === 'revoked' ? bob : null, at(5));
    assert.equal(record.turns, 4);
    assert.deepEqual(record.last, { how: 'revoked', from: ada, by: bob, at: at(5).iso });
    assert.equal(rule.describeLease(record, null, at(5)).looked, 0);
    const seen = rule.recordLook(record, 4);
    assert.equal(seen.looked, 4);
    assert.equal(rule.recordLook(seen, 3), seen);
    assert.equal(rule.recordLook(seen, 99), seen);
  });

  it('releases keys at every change of holder, and only then', () => {
    const held = taken(noLease, ada, 'a');
    assert.equal(held.settled, false);
    const settled = rule.markKeysReleased(held);
    assert.equal(settled.settled, true);
    const free = rule.endLease(settled, 'a', 'given', ada, at(1));
    assert.equal(free.settled, false);
    assert.equal(rule.addLeaseRequest(free, bob, 'please', at(1)).settled, false);
    assert.equal(rule.endLease(free, 'a', 'expired', null, at(2)), free);
  });

  it('lists requests, one per person, until they are withdrawn, granted or an hour old', () => {
    let record = rule.addLeaseRequest(taken(noLease, ada, 'a'), bob, 'my turn', at(0));
    record = rule.addLeaseRequest(record, agent, '', at(10));
    record = rule.addLeaseRequest(record, bob, 'please', at(20));
    const names = (ms: number) => rule.describeLease(record, null, at(ms)).requests.map(({ why }) => why);
    assert.deepEqual(names(30), ['', 'please']);
    assert.deepEqual(names(3_600_015), ['please']);
    record = taken(record, bob, 'b', { force: true, ms: 40 });
    assert.deepEqual(names(50), ['']);
    record = rule.withdrawLeaseRequest(record, 'agent');
    assert.deepEqual(names(50), []);
    assert.equal(rule.withdrawLeaseRequest(record, 'agent'), record);
  });

  it('lets agents look only if the holder allows it', () => {
    const held = taken(noLease, ada, 'a');
    assert.match(rule.findLeaseRefusal(held, undefined)?.help ?? '', /can not look/);
    const open = rule.changeWatchRight(held, 'a', true);
    assert.match(rule.findLeaseRefusal(open, undefined)?.help ?? '', /may look/);
    assert.equal(rule.changeWatchRight(open, 'a', true), open);
    assert.throws(() => rule.changeWatchRight(open, 'b', true), { code: 'control-lost' });
  });

  it('keeps no secret in its public state', () => {
    assert.ok(
      !JSON.stringify(rule.describeLease(taken(noLease, ada, 'secret'), null, at(0))).includes('secret'),
    );
  });

  it('keeps bounded lists', () => {
    let record = noLease;
    for (let i = 0; i < 100; i += 1) {
      record = taken(record, { ...ada, id: `p${i}` }, `h${i}`, { force: true });
      record = rule.addLeaseRequest(record, { ...agent, id: `r${i}` }, 'x', at(i));
    }
    assert.equal(record.lost.length, 20);
    assert.equal(record.requests.length, 20);
  });
});
