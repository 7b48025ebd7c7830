import assert from 'node:assert/strict';
import { chooseAdapter } from '../../../extension/python/src/debugger-choice.ts';

describe('the debugger of a Python', () => {
  it("is our image's for its own version", () => {
    assert.match(chooseAdapter('3.11.2', true).join(' '), /-m debugpy/);
    assert.match(chooseAdapter('', false).join(' '), /-m debugpy/);
  });

  it('is a later one for all others from 3.8 on, and for one that is not known', () => {
    for (const version of ['3.8.20', '3.9.2', '3.13.5', ''])
      assert.match(chooseAdapter(version, true).join(' '), /\/opt\/debugpy/);
  });

  it('is refused with the version where no debugger runs in it', () => {
    assert.throws(
      () => chooseAdapter('3.6.15', true),
      /needs Python 3\.8 or newer, and this is Python 3\.6\.15/,
    );
    assert.throws(() => chooseAdapter('2.7.18', true), /Python 2\.7\.18/);
    assert.throws(() => chooseAdapter('3.13.5', false), /no debugpy for Python 3\.13\.5/);
  });
});
