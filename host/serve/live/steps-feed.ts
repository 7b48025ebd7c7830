import { pause } from '../../../bridge/lib/index.ts';
import { agent } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { Channel } from './channel.ts';

/** Milliseconds between two looks for new steps. A step without an effect does not change the screen. */
const lookMs = 1000;

/** Sends the last steps, at first and whenever there are new ones. Rejects when the signal fires. */
export async function sendSteps(sandbox: Sandbox, channel: Channel, signal: AbortSignal): Promise<never> {
  let last = '';
  for (;;) {
    // The state reports an IDE that can't be asked.
    const steps = await sandbox.call(agent.steps, {}, { signal }).then(
      (answer) => answer.steps,
      () => undefined,
    );
    const newest = steps?.at(-1);
    const key = `${steps?.length} ${newest?.at} ${newest?.step}`;
    if (steps && key !== last) channel.send({ type: 'steps', steps });
    if (steps) last = key;
    await pause(lookMs, signal);
  }
}
