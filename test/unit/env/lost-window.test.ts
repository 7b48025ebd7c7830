import assert from 'node:assert/strict';
import type { Service } from '../../../bridge/protocol/index.ts';
import type { ActionOutcome } from '../../../host/env/index.ts';
import { withoutCertainty } from '../../../host/env/lost-window.ts';

const outcome = (action: ActionOutcome['action'], effect: ActionOutcome['effect']): ActionOutcome => ({
  action,
  effect,
  evidence: 'screen changed',
  output: undefined,
});
const key = outcome({ kind: 'xdotool', line: 'xdotool key F1' }, 'confirmed');
const died: Service = { name: 'chromium', state: 'waiting', restarts: 1 };

describe('a step in which the window died', () => {
  it('does not change outcomes if nothing died', () => {
    assert.deepEqual(withoutCertainty([key], []), [key]);
  });

  it('confirms no input', () => {
    const [judged] = withoutCertainty([key], [died]);
    assert.equal(judged?.effect, 'unverifiable');
    assert.match(judged?.evidence ?? '', /^chromium died in this step: .*; screen changed$/);
  });

  it('does not change a refusal, or a tool that answered', () => {
    const refused = outcome({ kind: 'mark', verb: 'click', mark: 3 }, 'refused');
    const tool = outcome({ kind: 'tool', name: 'shell', arguments: {} }, 'confirmed');
    assert.deepEqual(withoutCertainty([refused, tool], [died]), [refused, tool]);
  });

  it('does not change input if only the extension host died', () => {
    assert.deepEqual(withoutCertainty([key], [{ ...died, name: 'extension' }]), [key]);
  });
});
