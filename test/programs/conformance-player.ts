import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describeError } from '../../bridge/lib/index.ts';
import { readComputer } from '../../host/ide/actions/computer-action.ts';
import { parseXdotoolLine } from '../../host/ide/actions/xdotool.ts';
import { connectDisplay, type XDisplay } from '../../host/node/display/display.ts';
import { explainUnplayable, type InputCommand } from '../../host/node/index.ts';

/** Plays the actions in each line of JSON of its standard input on the X server of its argument. */

interface Asked {
  /** Lines of xdotool, or computer actions of a vendor. */
  readonly actions?: readonly (string | Readonly<Record<string, unknown>>)[];
  /** Path to write the screen to. */
  readonly picture?: string;
}

const never = new AbortController().signal;
await using display = await connectDisplay(process.argv[2] ?? '', never);
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line) as Asked, display).catch((error: unknown) => ({
    error: describeError(error),
  }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function answerTo({ actions = [], picture }: Asked, on: XDisplay): Promise<object> {
  const commands = actions.flatMap((action) => commandsOf(action, on));
  const why = commands.map((command) => explainUnplayable(command, on.size)).find((one) => one !== undefined);
  if (why !== undefined) throw new Error(why);
  if (commands.length > 0) await on.play(commands, never);
  if (picture !== undefined) await writeFile(picture, (await on.picture({})).bytes);
  return {};
}

function commandsOf(
  action: string | Readonly<Record<string, unknown>>,
  { size }: XDisplay,
): readonly InputCommand[] {
  if (typeof action === 'string')
    return parseXdotoolLine(action).flatMap((part) => ('input' in part ? part.input : []));
  const read = readComputer(action, size);
  return 'commands' in read ? read.commands : [];
}
