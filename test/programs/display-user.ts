import { join } from 'node:path';
import { deadline, describeError, pause, PwpError } from '../../bridge/lib/index.ts';
import { connectDisplay, type XDisplay } from '../../host/node/display/display.ts';
import { displayLimits } from '../../host/node/display/wire/greeting.ts';
import { watchGrowth } from '../support/growth.ts';

/**
 * Uses X servers one after the other, as an episode would, and a good one at the same time. Prints a line for each: how
 * it ended, and how much this process grew meanwhile.
 *   node display-user.ts <good socket> <folder> <name>...
 */

const [good = '', folder = '', ...names] = process.argv.slice(2);
const limits = { ...displayLimits, greetMs: 3000, answerMs: 2000 };
const never = new AbortController().signal;
/** Milliseconds that a server has to attack. */
const roundMs = 1500;

async function use(socket: string): Promise<string> {
  let display: XDisplay | undefined;
  try {
    display = await connectDisplay(socket, never, { limits });
    for (let i = 0; i < 3; i += 1) {
      await display.capture(never);
      await display.play([{ kind: 'type', text: 'aé', delayMs: 0 }], never);
      await Promise.race([display.closed, pause(roundMs / 3)]);
    }
    return 'survived';
  } catch (error) {
    return error instanceof PwpError ? `${error.code}: ${error.message}` : `untyped: ${describeError(error)}`;
  } finally {
    await display?.[Symbol.asyncDispose]();
  }
}

await using working = await connectDisplay(good, never);
for (const name of names) {
  const growth = watchGrowth();
  const ended = await use(join(folder, name));
  const grown = await growth.end();
  using limit = deadline('a picture of the good one', 10_000);
  const { width } = await working.capture(limit.signal);
  console.log(JSON.stringify({ name, ended, ...grown, width }));
}
