import assert from 'node:assert/strict';
import { noteAttack } from '../../support/attacks.ts';
import { useEvil } from '../../support/evil.ts';
import { everything } from '../../support/slow.ts';

/** Attacks by their names in test/programs/evil-bridge.py, and how each must end. */
const quick: Readonly<Record<string, RegExp>> = {
  'no-websocket': /^connect-failed: /,
  'endless-headers': /^connect-failed: /,
  'endless-continues': /^connect-failed: /,
  'endless-pieces': /^bridge-lost: .*fragments/,
  pings: /^bridge-lost: .*pings/,
  'no-greeting': /^bridge-lost: .*greeted/,
  'small-objects': /^bridge-lost: .*more values/,
  deep: /^bridge-lost: .*deep/,
  streams: /^bridge-lost: .*stream/,
  requests: /^bridge-lost: .*request/,
  events: /^bridge-lost: .*reports/,
  'unasked-answers': /^bridge-lost: .*not made/,
};
const slow: Readonly<Record<string, RegExp>> = {
  silent: /^bridge-lost: .*greeted/,
  'hangs-up': /^connect-failed: /,
  'wrong-key': /^connect-failed: /,
  'speaks-first': /^(rpc|bridge-lost)/,
  oversize: /^bridge-lost: .*payload/,
  'empty-pieces': /^bridge-lost: .*fragments/,
  drips: /^bridge-lost: .*greeted/,
  'small-arrays': /^bridge-lost: .*more values/,
  'many-keys': /^bridge-lost: .*more values/,
  'wrong-result': /^rpc -32603: /,
  nonsense: /^bridge-lost: .*JSON/,
  'long-error': /^bridge-lost: /,
  'stream-data': /^bridge-lost: .*stream/,
  'long-events': /^bridge-lost: .*event/,
  'hangs-up-later': /^bridge-lost: .*hung up/,
  'never-answers': /^bridge-lost: .*not answered/,
  'many-results': /^rpc -32603: /,
};
const attacks = everything ? { ...quick, ...slow } : quick;
/** MiB that one attack may add to the process: one message of maximum length, several times over. */
const mostMb = 180;

describe('a malicious bridge', function () {
  this.timeout(300_000);

  it('can only end its own connection', async () => {
    const names = Object.keys(attacks);
    const endings = await useEvil('evil-bridge.py', ['bridge-user.ts'], names);
    assert.deepEqual(
      endings.map(({ name }) => name),
      names,
    );
    for (const { name, ended, grownMb, moreFds } of endings) {
      const held = attacks[name]?.test(ended) === true && grownMb < mostMb && moreFds < 10;
      noteAttack({ on: "a false bridge on the host's process", what: name, node: null, held });
      assert.match(ended, attacks[name] ?? /^$/, `${name}: ${ended}`);
      assert(grownMb < mostMb, `${name}: the process grew by ${grownMb} MiB`);
      assert(moreFds < 10, `${name}: ${moreFds} descriptors are left`);
    }
  });
});
