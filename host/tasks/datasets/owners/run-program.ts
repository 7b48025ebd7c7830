import {
  BoundedOutput,
  type Exit,
  neverAborted,
  PwpError,
  raceSignal,
  readBounded,
  startChild,
} from '../../../../bridge/lib/index.ts';

interface ProgramRun {
  readonly argv: readonly string[];
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Its standard input. Default: nothing. */
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
}

interface ProgramResult {
  readonly exit: Exit;
  readonly stdout: string;
  /** First and last part, where it was long. */
  readonly stderr: string;
}

const mostAnswerBytes = 32 * 1024 * 1024;
const mostErrorBytes = 20_000;

/**
 * Runs a program of this machine to its end. Errors: `spawn-failed`, `too-large`; the signal's reason, once the program
 * and its children have ended.
 */
export async function runProgram({
  argv: [file = '', ...args],
  env,
  input = '',
  signal = neverAborted,
}: ProgramRun): Promise<ProgramResult> {
  signal.throwIfAborted();
  await using child = await startChild(file, args, { env, piped: true, pipedErrors: true });
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new PwpError('internal', `${file} was started without its streams`);
  // A program that ends before it has read everything says why on its standard error.
  stdin.on('error', () => undefined);
  stdin.end(input);
  const said = new BoundedOutput(stderr, mostErrorBytes, mostErrorBytes / 2);
  const output = await raceSignal(readBounded(stdout, mostAnswerBytes), signal);
  if (!output) throw new PwpError('too-large', `${file} printed more than ${mostAnswerBytes} bytes`);
  return {
    exit: await raceSignal(child.stopped, signal),
    stdout: output.toString('utf8'),
    stderr: said.text(),
  };
}
