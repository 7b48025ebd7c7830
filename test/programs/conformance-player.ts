/** Plays the actions in each line of JSON of its standard input on the X server of its argument. */
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { messageOf } from '../../bridge/lib/index.ts';
import { parseXdotoolLine, readComputer } from '../../host/env/actions/index.ts';
import { connectDisplay, type XDisplay } from '../../host/node/display/index.ts';
import { whyNot, type InputCommand } from '../../host/node/index.ts';

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
    error: messageOf(error),
  }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function answerTo({ actions = [], picture }: Asked, on: XDisplay): Promise<object> {
  const commands = actions.flatMap((action) => commandsOf(action, on));
  const why = commands.map((command) => whyNot(command, on.size)).find((one) => one !== undefined);
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
