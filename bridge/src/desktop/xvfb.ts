import { rm } from 'node:fs/promises';
import { poll } from '../../lib/index.ts';
import { desk, type Config } from '../config.ts';
import { START_MS, type Part } from './part.ts';
import { describeExit, startProgram, whileAlive } from './program.ts';
import { probeSocket } from './socket.ts';

/**
 * Opens the socket and becomes the X server, which accepts it as from systemd. A socket that the X server opens itself is
 * in a folder that everyone may open. In Perl, since Node would accept connections on a socket that it listens on.
 */
const listen = `use Socket; my $path = shift; $^F = 3; umask 077; socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die $!;
bind($s, sockaddr_un($path)) && listen($s, 128) or die $!; fileno($s) == 3 or die "descriptor 3 is in use";
@ENV{qw(LISTEN_PID LISTEN_FDS)} = ($$, 1); exec @ARGV or die $!;`;

/** The screen: an X server that draws into memory. Anyone who may open its socket's folder may use it, without a key. */
export function xvfb({ screen, env }: Config): Part {
  return {
    name: 'xvfb',
    needs: [],
    startMs: START_MS,
    async start(signal) {
      await Promise.all([rm(desk.display, { force: true }), rm('/tmp/.X1-lock', { force: true })]);
      const size = `${screen.width}x${screen.height}x24`;
      const closed = ['tcp', 'local'].flatMap((transport) => ['-nolisten', transport]);
      const server = ['Xvfb', ':1', '-screen', '0', size, ...closed, '-noreset'];
      const child = await startProgram('xvfb', ['perl', '-e', listen, desk.display, ...server], { env });
      try {
        const drawn = poll('the X server', () => probeSocket(desk.display), { intervalMs: 20, signal });
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
