import assert from 'node:assert/strict';
import { OngoingChanges } from '../../../bridge/dom/page/activity.ts';

describe('a place in the page that changes repeatedly', () => {
  const place = {};
  const changes = (lasting: OngoingChanges<object>, from: number, to: number) => {
    let goesOn = false;
    for (let now = from; now <= to; now += 100) goesOn = lasting.note(place, now);
    return goesOn;
  };

  it('does not count after the next input if it changed for two seconds that no input explains', () => {
    const lasting = new OngoingChanges<object>();
    lasting.input(0);
    assert.equal(changes(lasting, 100, 4000), false, 'it may still be the answer');
    lasting.input(4000);
    assert.equal(lasting.note(place, 4100), true);
    assert.equal(lasting.has(place, 4600), true);
    assert.equal(lasting.has({}, 4600), false);
  });

  it('counts if the last input was too recent to tell', () => {
    const lasting = new OngoingChanges<object>();
    lasting.input(0);
    changes(lasting, 100, 2500);
    lasting.input(2500);
    assert.equal(changes(lasting, 2600, 5000), false);
  });

  it('counts if each input causes changes, however many inputs follow each other', () => {
    const lasting = new OngoingChanges<object>();
    for (let now = 0; now < 10_000; now += 300) {
      lasting.input(now);
      assert.equal(lasting.note(place, now + 50), false);
    }
  });

  it('counts again after a pause', () => {
    const lasting = new OngoingChanges<object>();
    lasting.input(0);
    changes(lasting, 1000, 4000);
    lasting.input(5000);
    assert.equal(lasting.note(place, 5100), false);
  });
});
