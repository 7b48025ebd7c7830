import { rm } from 'node:fs/promises';
import { poll } from '../../lib/index.ts';
import { desktop, ErrorCode, RpcError } from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import { type BridgeConfig, desktopPaths } from '../config.ts';
import { runArgv } from '../shell.ts';
import {
  describeExit,
  type DesktopPart,
  PART_START_MS,
  probeSocket,
  startDesktopProgram,
  whileAlive,
} from './part.ts';

/**
 * Opens the socket and becomes the X server, which accepts it as from systemd. A socket that the X server opens itself is
 * in a folder that everyone may open. In Perl, since Node would accept connections on a socket that it listens on.
 */
const listenScript = `use Socket; my $path = shift; $^F = 3; umask 077; socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die $!;
bind($s, sockaddr_un($path)) && listen($s, 128) or die $!; fileno($s) == 3 or die "descriptor 3 is in use";
@ENV{qw(LISTEN_PID LISTEN_FDS)} = ($$, 1); exec @ARGV or die $!;`;

/** The screen: an X server that draws into memory. Anyone who may open its socket's folder may use it, without a key. */
export function displayPart({ screen, env }: BridgeConfig): DesktopPart {
  return {
    name: 'xvfb',
    needs: [],
    startMs: PART_START_MS,
    async start(signal) {
      await Promise.all([rm(desktopPaths.display, { force: true }), rm('/tmp/.X1-lock', { force: true })]);
      const size = `${screen.width}x${screen.height}x24`;
      const closed = ['tcp', 'local'].flatMap((transport) => ['-nolisten', transport]);
      const server = ['Xvfb', ':1', '-screen', '0', size, ...closed, '-noreset'];
      const child = await startDesktopProgram(
        'xvfb',
        ['perl', '-e', listenScript, desktopPaths.display, ...server],
        { env },
      );
      try {
        const drawn = poll('the X server', () => probeSocket(desktopPaths.display), {
          intervalMs: 20,
          signal,
        });
        await whileAlive('xvfb', child, drawn);
      } catch (error) {
        await child.stop();
        throw error;
      }
      return {
        ended: child.stopped.then((exit) => describeExit('xvfb', exit)),
        [Symbol.asyncDispose]: async () => void (await child.stop()),
      };
    },
  };
}

/** Options such as `search --sync` may wait for ever. */
const xdotoolBounds = { timeoutMs: 10_000, maxOutputBytes: 100_000 };
/** Commands that would run other programs, or read files, as the desktop's user. */
const refusedCommands = ['exec', 'behave', '--file'];

/** Serves the xdotool program, which only has access to the display. */
export function serveXdotool(handlers: Handlers, env: NodeJS.ProcessEnv): void {
  handlers.add(desktop.xdotool, ({ words }, signal) => {
    const bad = words.find((word) => refusedCommands.includes(word));
    if (bad !== undefined) throw new RpcError(ErrorCode.InvalidParams, `xdotool ${bad} is refused`);
    return runArgv(['xdotool', ...words], { cwd: '/', env: {}, ...xdotoolBounds }, env, signal);
  });
}
