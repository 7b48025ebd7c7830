import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { neverAborted, poll, type Probe } from '../../../../bridge/lib/index.ts';
import { clipEnd } from '../../../../bridge/text/index.ts';
import { type Check, failed, passed, showValue } from './check-result.ts';

/** Where grading looks for code to run, and writes its answer. */
const runsFolder = '/logs/code';
const answerIntervalMs = 20;
/** Bytes of a request as JSON. More is not read from outside. */
const mostRequestBytes = 8_000_000;

export interface CodeToRun {
  /** Text of each file by its path, in the folder that the program is run in. */
  readonly files: Readonly<Record<string, string>>;
  /** The program with its arguments, such as `['/opt/node/bin/node', 'main.mjs']`. */
  readonly argv: readonly string[];
  /** Its standard input. Default: nothing. */
  readonly input?: string;
  /** Default 30. */
  readonly seconds?: number;
}

export interface CodeResult {
  /** Null where a signal or the time-out ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** The end of its standard error. */
  readonly stderr: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
}

const noResult: CodeResult = { exitCode: null, stdout: '', stderr: '', truncated: false, timedOut: false };

/**
 * Runs code in a sandbox of its own, where there is nothing else: no tests, no expected answers, no reward. Code of the
 * agent's is never run in any other way.
 */
export async function runCode({ files, argv, input = '', seconds = 30 }: CodeToRun): Promise<CodeResult> {
  const text = JSON.stringify({ files, argv, input, seconds });
  if (Buffer.byteLength(text) > mostRequestBytes)
    return { ...noResult, stderr: 'the code is too large to be run' };
  const folder = await makeRunFolder();
  const request = join(folder, 'request.json');
  await writeFile(`${request}.part`, text);
  await rename(`${request}.part`, request);
  const probe = async (): Promise<Probe<CodeResult>> => {
    const answer = await readFile(join(folder, 'answer.json'), 'utf8');
    return { done: true, value: JSON.parse(answer) as CodeResult };
  };
  // Without a limit of its own: the run has one, and so have the tests.
  return await poll('the end of the code', probe, { intervalMs: answerIntervalMs, signal: neverAborted });
}

/** A folder of its own for each run, regardless of which process of the tests asks for it. */
async function makeRunFolder(): Promise<string> {
  await mkdir(runsFolder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const folder = join(runsFolder, `run-${number}`);
    try {
      await mkdir(folder);
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

export interface CodeQuestions {
  /** Name of the check. */
  readonly name: string;
  /** The agent's code: text of each file by its path. */
  readonly files: Readonly<Record<string, string>>;
  /** A module that exports `answer(question)`, which may be asynchronous; question and answer go through JSON. */
  readonly driver: string;
  readonly questions: readonly unknown[];
  /** The right answer to each question, as JSON values. The code never sees them. */
  readonly answers: readonly unknown[];
  /** Default 30. */
  readonly seconds?: number;
}

/** JavaScript answers questions as expected: numbers to nine digits, everything else exactly. */
export async function answersRight(given: CodeQuestions): Promise<Check> {
  const { name, files, driver, questions, answers, seconds = 30 } = given;
  if (questions.length === 0 || questions.length !== answers.length)
    throw new Error(`${name}: expected an answer for each of one or more questions`);
  const ran = await runCode({
    files: { ...files, 'driver.mjs': driver, 'ask.mjs': askScript },
    argv: ['/opt/node/bin/node', 'ask.mjs'],
    input: JSON.stringify(questions),
    seconds,
  });
  if (ran.timedOut) return failed(name, `it took longer than ${seconds} s`);
  if (ran.exitCode !== 0) return failed(name, `it fails: ${showValue(clipEnd(ran.stderr.trim(), 500))}`);
  const found = parseAnswers(ran.stdout);
  if (found?.length !== questions.length) return failed(name, 'it did not answer all questions with values');
  const wrong = answers.findIndex((answer, index) => !isClose(found[index], answer));
  if (wrong < 0) return passed(name, `answers ${answers.length} questions as expected`);
  const [question, wanted, answer] = [questions[wrong], answers[wrong], found[wrong]].map(showValue);
  return failed(name, `for ${question} expected ${wanted}, found ${answer}`);
}

const askScript = `
import { text } from 'node:stream/consumers';
import { answer } from './driver.mjs';

const answers = [];
for (const question of JSON.parse(await text(process.stdin))) answers.push((await answer(question)) ?? null);
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
`;

function parseAnswers(text: string): readonly unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

function isClose(found: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'number') {
    const isNumber = typeof found === 'number' && Number.isFinite(found);
    return isNumber && Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
  }
  if (Array.isArray(wanted)) {
    const isSame = Array.isArray(found) && found.length === wanted.length;
    return isSame && wanted.every((value, index) => isClose(found[index], value));
  }
  return isDeepStrictEqual(found, wanted);
}
