import { startChild, type Child, type ChildOptions, type Exit } from '../../lib/index.ts';
import type { ServiceName } from '../../protocol/index.ts';
import { logPath } from './log.ts';

/** Starts a program of the desktop, with its log in the usual place. */
export function startProgram(
  name: ServiceName,
  argv: readonly [string, ...string[]],
  options: Pick<ChildOptions, 'env' | 'cwd' | 'pipes' | 'piped'>,
): Promise<Child> {
  const [file, ...args] = argv;
  return startChild(file, args, { ...options, log: logPath(name) });
}

export function describeExit(name: ServiceName, { code, signal }: Exit): string {
  return `${name} ended ${signal ? `by ${signal}` : `with exit code ${code ?? 'unknown'}`}`;
}

/** Resolves with `ready`'s value, or rejects as soon as the program ends. */
export async function whileAlive<T>(name: ServiceName, child: Child, ready: Promise<T>): Promise<T> {
  const died = child.stopped.then((exit) => {
    throw new Error(describeExit(name, exit));
  });
  return Promise.race([ready, died]);
}
