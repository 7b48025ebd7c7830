import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../programs/bad-server.ts', import.meta.url));

export interface BadServer extends AsyncDisposable {
  readonly path: string;
  kill(): void;
}

/** Starts a server that misbehaves; see its program for the ways. Disposing it kills it. */
export async function startBadServer(socket: string, manner: string): Promise<BadServer> {
  const child = spawn(process.execPath, [program, socket, manner], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    path: socket,
    kill: () => void child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
