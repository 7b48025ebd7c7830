import * as z from 'zod';
import { PwpError, messageOf, poll, type Probe } from '../../bridge/lib/index.ts';
import { limits } from '../../bridge/protocol/index.ts';
import { defaultDisplay, type Node, type Sandbox, type Seed } from '../node/index.ts';
import { archive, textEntry } from '../tasks/index.ts';

/** Where the check libraries leave a request in the grading sandbox, and find the answer to it. */
const folder = '/logs/code';
/** Requests of one grading. */
const mostRuns = 50;
const maxRequestBytes = 8 * 1024 * 1024;
/** As JSON this fits into the bound on what a program is given. */
const maxOutputBytes = 512 * 1024;
/** UTF-16 code units: the end says why a program failed. */
const mostErrorText = 10_000;
const intervalMs = 50;
const writeMs = 20_000;

/** A path below the folder of the code. */
const relativePath = z
  .string()
  .min(1)
  .max(500)
  .refine((path) => path.split('/').every((part) => !['', '.', '..'].includes(part)), 'leads elsewhere');

/** What `run_code` of `pwp_checks.py` and `runCode` of `checks.mjs` write. */
const codeRequest = z.strictObject({
  files: z.record(relativePath, z.string()).describe('text of each file, by its path in the code folder'),
  argv: z.array(z.string().max(10_000)).min(1).max(100).describe('the program, run in the code folder'),
  input: z.string().max(limits.inputText).describe('what it reads on its standard input'),
  seconds: z.number().positive().max(3600),
});
type CodeRequest = z.output<typeof codeRequest>;

/** What they read. */
interface CodeAnswer {
  /** Null when a signal or the time-out ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
}

export interface CodeRunOptions {
  readonly node: Node;
  /** Where the tests run. */
  readonly grading: Sandbox;
  /** Ends it: the tests are over. */
  readonly signal: AbortSignal;
}

/**
 * Runs the code that tests ask about, each time in a bare sandbox of its own that has this code and its input alone: no
 * tests, no expected answers and no reward are in its reach. What it prints goes back to the tests as text. Goes on until
 * the signal fires, and rejects then with its reason; errors: `grading-failed` for a request that is none.
 */
export async function serveCodeRuns(options: CodeRunOptions): Promise<never> {
  for (let number = 1; number <= mostRuns; number += 1) {
    const answer = await run(await nextRequest(options, number), options);
    await giveBack(answer, number, options);
  }
  throw new PwpError('grading-failed', `the tests asked for more than ${mostRuns} runs of code`);
}

async function nextRequest({ grading, signal }: CodeRunOptions, number: number): Promise<CodeRequest> {
  const path = `${folder}/run-${number}/request.json`;
  const probe = async (): Promise<Probe<Uint8Array | Error>> => {
    const bytes = await grading.readFile(path, maxRequestBytes).catch(ifTooLarge);
    return bytes ? { done: true, value: bytes } : { done: false, saw: `no ${path}` };
  };
  const found = await poll('a request to run code', probe, { intervalMs, signal });
  try {
    if (found instanceof Error) throw found;
    return codeRequest.parse(JSON.parse(Buffer.from(found).toString('utf8')));
  } catch (cause) {
    throw new PwpError('grading-failed', `${path} is no request to run code: ${messageOf(cause)}`, { cause });
  }
}

/** It is there, unlike one that can't be read yet. */
function ifTooLarge(error: unknown): Error {
  if (error instanceof PwpError && error.code === 'too-large') return error;
  throw error;
}

/** Once more where the sandbox was lost: the machine may be the cause. Twice is taken for the code's own doing. */
async function run(request: CodeRequest, options: CodeRunOptions): Promise<CodeAnswer> {
  const first = await attempt(request, options);
  const last = first instanceof Error ? await attempt(request, options) : first;
  if (!(last instanceof Error)) return last;
  const stderr = `the sandbox of the code was lost: ${messageOf(last)}`;
  return { exitCode: null, stdout: '', stderr, truncated: false, timedOut: false };
}

async function attempt(
  { files, argv, input, seconds }: CodeRequest,
  { node, grading, signal }: CodeRunOptions,
): Promise<CodeAnswer | Error> {
  const entries = Object.entries(files).map(([path, text]) => textEntry(path, text));
  const seed = { path: '/code', tar: archive(entries) };
  await using sandbox = await startBare({ node, grading, signal }, seed);
  try {
    const timeoutMs = seconds * 1000;
    const ran = await sandbox.exec({ argv, cwd: '/code', env, input, timeoutMs, maxOutputBytes }, { signal });
    return { ...ran, stderr: ran.stderr.slice(-mostErrorText) };
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** One thread for each library of numbers: sums come out the same wherever they are computed. */
const env = {
  PATH: '/opt/node/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
};

/** A copy, of nothing, never waits for room: the grading sandbox can only end after it. */
function startBare({ node, grading, signal }: CodeRunOptions, seed: Seed): Promise<Sandbox> {
  return node.start(
    {
      name: 'code',
      role: 'bare',
      seeds: [seed],
      copy: { from: grading.id, paths: [] },
      keep: false,
      display: defaultDisplay,
      limits: { cpus: 2, memoryMb: 2048, pids: 256, diskMb: 512 },
    },
    { signal },
  );
}

/** The tests wait for the file's last name, so that they never read a part of it. */
async function giveBack(answer: CodeAnswer, number: number, { grading, signal }: CodeRunOptions) {
  const path = `${folder}/run-${number}/answer.json`;
  const { exitCode, stderr } = await grading.exec(
    {
      argv: ['/bin/sh', '-c', 'cat > "$1.part" && mv "$1.part" "$1"', 'sh', path],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      input: JSON.stringify(answer),
      timeoutMs: writeMs,
      maxOutputBytes: 10_000,
    },
    { signal },
  );
  if (exitCode !== 0) throw new PwpError('grading-failed', `the tests can't be given ${path}: ${stderr}`);
}
