import { connectDisplay } from '../../host/node/display/display.ts';

/** Presses a button and types the text of its last argument on the X server of its first. */

const [socket = '', text = ''] = process.argv.slice(2);
const signal = AbortSignal.timeout(60_000);
await using display = await connectDisplay(socket, signal);
await display.play(
  [
    { kind: 'button', button: 1, action: 'down', repeat: 1, delayMs: 0 },
    { kind: 'type', text, delayMs: 0 },
  ],
  signal,
);
