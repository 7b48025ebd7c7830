import assert from 'node:assert/strict';
import type { Service } from '../../../bridge/protocol/index.ts';
import type { ActionOutcome } from '../../../host/ide/index.ts';
import { withdrawCertainty } from '../../../host/ide/step/interrupted-step.ts';

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
    assert.deepEqual(withdrawCertainty([key], []), [key]);
  });

  it('confirms no input', () => {
    const [judged] = withdrawCertainty([key], [died]);
    assert.equal(judged?.effect, 'unverifiable');
    assert.match(judged?.evidence ?? '', /^chromium died in this step: .*; screen changed$/);
  });

  it('does not change a refusal, or a tool that answered', () => {
    const refused = outcome({ kind: 'mark', verb: 'click', mark: 3 }, 'refused');
    const tool = outcome({ kind: 'tool', name: 'shell', arguments: {} }, 'confirmed');
    assert.deepEqual(withdrawCertainty([refused, tool], [died]), [refused, tool]);
  });

  it('does not change input if only the extension host died', () => {
    assert.deepEqual(withdrawCertainty([key], [{ ...died, name: 'extension' }]), [key]);
  });
});
