import assert from 'node:assert/strict';
import { noteAttack } from '../../support/attacks.ts';
import { useEvil } from '../../support/evil.ts';
import { everything, slowIt } from '../../support/slow.ts';
import { startXvfb } from '../../support/xvfb.ts';

/** Attacks by their names in test/programs/evil-x.py, and how each must end. */
const quick: Readonly<Record<string, RegExp>> = {
  refuses: /^display-lost: .*refused/,
  'no-numbers': /^display-lost: .*numbers/,
  'huge-screen': /^display-lost: .*pixels/,
  'same-visuals': /^display-lost: .*twice/,
  'long-greeting': /^display-lost: .*greeting/,
  descriptor: /^survived/,
  descriptors: /^survived/,
  'never-answers': /^display-lost: .*within/,
  'long-reply': /^display-lost: .*reply/,
  'no-keysyms': /^display-lost: .*keysyms/,
  'unasked-replies': /^display-lost: .*not made/,
  events: /^display-lost: .*a second/,
  'false-pointer': /^display-lost: .*pointer/,
  'fills-memory': /^display-lost: .*memory/,
};
const slow: Readonly<Record<string, RegExp>> = {
  silent: /^display-lost: .*greeted/,
  'hangs-up': /^display-lost: /,
  'wants-more': /^display-lost: .*refused/,
  'no-screen': /^display-lost: .*pixels/,
  'many-screens': /^display-lost: .*screens/,
  'no-keys': /^display-lost: .*keycodes/,
  'same-formats': /^display-lost: .*twice/,
  'cut-greeting': /^display-lost: .*cut off/,
  drips: /^display-lost: .*greeted/,
  'many-descriptors': /^survived/,
  'never-reads': /^display-lost: /,
  'refuses-everything': /^display-lost: /,
  'same-reply-again': /^display-lost: .*not made/,
  damage: /^display-lost: .*a second/,
  'long-event': /^display-lost: .*event/,
  errors: /^display-lost: /,
  'short-list': /^display-lost: /,
  'many-properties': /^(survived|display-lost)/,
  'many-windows': /^survived/,
  'single-bytes': /^(survived|display-lost)/,
  'long-pointer': /^display-lost: .*reply/,
  'hangs-up-later': /^display-lost: /,
  'shrinks-memory': /^display-lost: .*memory/,
  'grows-memory': /^display-lost: .*memory/,
};
const attacks = everything ? { ...quick, ...slow } : quick;
/** MiB that one attack may add to the process. */
const mostMb = 150;

describe('a malicious X server', function () {
  this.timeout(300_000);

  slowIt('can only end its own connection, in a process that also uses a good one', async () => {
    await using good = await startXvfb(800, 600);
    const names = Object.keys(attacks);
    const endings = await useEvil('evil-x.py', ['display-user.ts', good.socket], names);
    assert.deepEqual(
      endings.map(({ name }) => name),
      names,
    );
    for (const { name, ended, grownMb, moreFds } of endings) {
      const held = attacks[name]?.test(ended) === true && grownMb < mostMb && moreFds < 10;
      noteAttack({ on: "a false X server on the host's process", what: name, node: null, held });
      assert.match(ended, attacks[name] ?? /^$/, name);
      assert(grownMb < mostMb, `${name}: the process grew by ${grownMb} MiB`);
      assert(moreFds < 10, `${name}: ${moreFds} descriptors are left`);
    }
  });
});
