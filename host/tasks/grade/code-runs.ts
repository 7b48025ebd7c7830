import * as z from 'zod';
import { describeError, poll, type Probe, PwpError } from '../../../bridge/lib/index.ts';
import { limits } from '../../../bridge/protocol/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { defaultDisplay, type ExecResult, type Node, type Sandbox } from '../../node/index.ts';
import { type ArchiveEntry, makeTextEntry, packArchive } from '../format/index.ts';
import { isNodeLost } from './verdict.ts';

/** Where the code of a request lies. */
const codeFolder = '/code';
/** Where the check libraries leave a request in the grading sandbox, and find the answer to it. */
const requestFolder = '/logs/code';
/** Requests of one grading. */
const mostCodeRuns = 50;
const maxRequestBytes = 8 * 1024 * 1024;
/** As JSON this fits into the bound on what a program is given. */
const maxOutputBytes = 512 * 1024;
/** UTF-16 code units: the end says why a program failed. */
const mostErrorText = 10_000;
const intervalMs = 50;
const writeMs = 20_000;
/** Bytes of one file that a program leaves and that the tests read. */
const mostResultBytes = 16 * 1024 * 1024;
/** Disk limit of a run with folders, in MiB: copied and written files together. */
const folderDiskMb = 4096;

/** A path below the folder of the code. */
const relativePath = z
  .string()
  .min(1)
  .max(500)
  .refine((path) => path.split('/').every((part) => !['', '.', '..'].includes(part)), 'leads elsewhere');

const absolutePath = z
  .string()
  .max(500)
  .refine((path) => /^(\/[^/]+)+$/.test(path) && !/\/\.\.?(\/|$)/.test(path), 'is not an absolute path');

/** What `run_code` of `pwp_checks.py` and `runCode` of `checks.mjs` write. */
const codeRequest = z.strictObject({
  files: z.record(relativePath, z.string()).describe('text of each file, by its path in the code folder'),
  argv: z.array(z.string().max(10_000)).min(1).max(100).describe('the program, run in the code folder'),
  input: z.string().max(limits.inputText).describe('what it reads on its standard input'),
  seconds: z.number().positive().max(3600),
  folders: z
    .array(absolutePath)
    .max(10)
    .default([])
    .describe('folders of the grading sandbox, copied to the same place; none of the tests may be in them'),
  results: z
    .array(absolutePath)
    .max(10)
    .default([])
    .describe('files that are read, from outside, at its end'),
  cwd: absolutePath.default(codeFolder).describe('the folder it is run in'),
  env: z
    .record(z.string().max(200), z.string().max(10_000))
    .default({})
    .describe('variables beside the usual'),
  memory_mb: z.int().min(256).max(16_384).default(2048).describe('memory limit in MiB'),
  in_image: z
    .boolean()
    .default(false)
    .describe("whether it runs in the image of the task, with that image's variables in place of the usual"),
});
type CodeRequest = z.output<typeof codeRequest>;

interface CodeRunOutcome {
  /** What the tests read. */
  readonly answer: ExecResult;
  /** In the order of the request; null for a file that is missing, too large, or reached through a link. */
  readonly results: readonly (Uint8Array | null)[];
}

interface CodeRunOptions {
  readonly node: Node;
  /** Where the tests run. */
  readonly grading: Sandbox;
  /** Ends it: the tests are over. */
  readonly signal: AbortSignal;
}

/**
 * Runs the code that tests ask about, each time in a bare sandbox of its own that has this code and its input alone: no
 * tests, no expected answers and no reward are in its reach, unless the tests themselves ask for a copy of a folder.
 * Its output goes back to the tests as text. Goes on until the signal fires, and rejects then with its reason; errors:
 * `grading-failed` for an invalid request.
 */
export async function serveCodeRuns(options: CodeRunOptions): Promise<never> {
  for (let number = 1; number <= mostCodeRuns; number += 1) {
    const answer = await runRequest(await nextRequest(options, number), options);
    await writeAnswer(answer, number, options);
  }
  throw new PwpError('grading-failed', `the tests asked for more than ${mostCodeRuns} runs of code`);
}

async function nextRequest({ grading, signal }: CodeRunOptions, number: number): Promise<CodeRequest> {
  const path = `${requestFolder}/run-${number}/request.json`;
  const probe = async (): Promise<Probe<Uint8Array | Error>> => {
    const bytes = await grading.readFile(path, maxRequestBytes).catch(returnIfTooLarge);
    return bytes ? { done: true, value: bytes } : { done: false, saw: `no ${path}` };
  };
  const found = await poll('a request to run code', probe, { intervalMs, signal });
  try {
    if (found instanceof Error) throw found;
    return codeRequest.parse(JSON.parse(Buffer.from(found).toString('utf8')));
  } catch (cause) {
    throw new PwpError('grading-failed', `${path} is not a request to run code: ${describeError(cause)}`, {
      cause,
    });
  }
}

/** The request exists but is too large, unlike one that can't be read yet. */
function returnIfTooLarge(error: unknown): Error {
  if (error instanceof PwpError && error.code === 'too-large') return error;
  throw error;
}

/**
 * Tries once more if the sandbox was lost: the machine may be the cause. A second loss counts as the code's own doing,
 * unless the node itself is gone.
 */
async function runRequest(request: CodeRequest, options: CodeRunOptions): Promise<CodeRunOutcome> {
  const first = await attemptRun(request, options);
  const last = first instanceof Error ? await attemptRun(request, options) : first;
  if (!(last instanceof Error)) return last;
  if (isNodeLost(last)) throw last;
  const stderr = `the sandbox of the code was lost: ${describeError(last)}`;
  return { answer: { exitCode: null, stdout: '', stderr, truncated: false, timedOut: false }, results: [] };
}

async function attemptRun(request: CodeRequest, options: CodeRunOptions): Promise<CodeRunOutcome | Error> {
  const { argv, cwd, input, seconds, in_image: inImage } = request;
  const { signal } = options;
  await using sandbox = await startBare(request, options);
  try {
    const timeoutMs = seconds * 1000;
    const env = { ...(!inImage && codeEnvironment), ...request.env };
    const ran = await sandbox.exec({ argv, cwd, env, input, timeoutMs, maxOutputBytes }, { signal });
    const results = await readResults(sandbox, request);
    return { answer: { ...ran, stderr: clipEnd(ran.stderr, mostErrorText) }, results };
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Read while nothing runs: what the code left behind can't change a file that is being read. */
async function readResults(sandbox: Sandbox, { results }: CodeRequest): Promise<CodeRunOutcome['results']> {
  if (results.length === 0) return [];
  await using frozen = new AsyncDisposableStack();
  frozen.use(await sandbox.freeze());
  return await Promise.all(
    results.map((path) => sandbox.readFile(path, mostResultBytes).catch(ignoreUnreadable)),
  );
}

function ignoreUnreadable(error: unknown): null {
  if (error instanceof PwpError && ['too-large', 'unsafe-path'].includes(error.code)) return null;
  throw error;
}

/** One thread for each library of numbers: sums come out the same wherever they are computed. */
const codeEnvironment = {
  PATH: '/opt/node/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
};

/** A copy, be it of nothing, never waits for room: the grading sandbox can only end after it. */
async function startBare(request: CodeRequest, { node, grading, signal }: CodeRunOptions): Promise<Sandbox> {
  const { files, folders, memory_mb: memoryMb, in_image: inImage } = request;
  const entries = Object.entries(files).map(([path, text]) => makeTextEntry(path, text));
  await using frozen = new AsyncDisposableStack();
  if (folders.length > 0) frozen.use(await grading.freeze());
  return await node.start(
    {
      name: 'code',
      role: 'bare',
      seeds: entries.length > 0 ? [{ path: codeFolder, tar: packArchive(entries) }] : [],
      copy: { from: grading.id, paths: folders, leftOut: '/run/pwp-left-out' },
      keep: false,
      display: defaultDisplay,
      limits: {
        cpus: 2,
        memoryMb,
        pids: inImage ? 1024 : 256,
        diskMb: folders.length > 0 ? folderDiskMb : 512,
      },
      ...(inImage && grading.root !== null && { root: grading.root, workspace: grading.workspace }),
    },
    { signal },
  );
}

/** The tests wait for the file's last name, so that they never read a part of it. */
async function writeAnswer(
  { answer, results }: CodeRunOutcome,
  number: number,
  { grading, signal }: CodeRunOptions,
) {
  const path = `${requestFolder}/run-${number}/answer.json`;
  const files = results.flatMap((content, index): ArchiveEntry[] =>
    content ? [{ kind: 'file', path: String(index), content, executable: false }] : [],
  );
  if (files.length > 0)
    await grading.unpack(
      { path: `${requestFolder}/run-${number}/results`, tar: packArchive(files) },
      { signal },
    );
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
