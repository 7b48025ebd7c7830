import { describeError, imagePrograms, poll, type Probe, PwpError } from '../../../bridge/lib/index.ts';
import { clip, clipEnd } from '../../../bridge/text/index.ts';
import { defaultDisplay, type ExecResult, type Node, type Sandbox } from '../../node/index.ts';
import {
  chooseTaskWorkspace,
  makeTextEntry,
  packArchive,
  readTaskLimits,
  readTaskNetwork,
  type Task,
} from '../format/index.ts';
import { enterImage } from './grade-in-image.ts';
import { grade } from './grade.ts';
import { runImageTests } from './image-tests.ts';
import type { OwnAnswers, OwnGrade } from './own-grade.ts';

interface ImageAnswersOptions {
  readonly node: Node;
  readonly signal: AbortSignal;
}

const maxOutputBytes = 100_000;

/** As `gradeOwnAnswers`, for a task in an image of its own: each answer is given in a sandbox of its own. */
export async function gradeImageAnswers(
  { task, answers }: OwnAnswers,
  options: ImageAnswersOptions,
): Promise<OwnGrade[]> {
  const grades: OwnGrade[] = [];
  for (const answer of answers) grades.push(await gradeAnswer(task, answer, options));
  return grades;
}

async function gradeAnswer(
  task: Task,
  { name, script }: OwnAnswers['answers'][number],
  { node, signal }: ImageAnswersOptions,
): Promise<OwnGrade> {
  const start = performance.now();
  const running: string[] = [];
  const known = () => ({ name, running, ms: performance.now() - start });
  try {
    await using sandbox = await startAnswer(task, node, signal);
    if (task.imageTests?.service === undefined && script !== null)
      running.push(...(await playToEnd(task, script, sandbox, signal)));
    const { reward, checks } = await (task.imageTests?.service === undefined
      ? grade({ node, sandbox, task, signal })
      : gradeWhileRunning(task, script, sandbox, { node, signal }));
    return { ...known(), reward, checks, problem: null };
  } catch (error) {
    signal.throwIfAborted();
    return { ...known(), reward: null, checks: [], problem: describeError(error) };
  }
}

/** The task's initial state, without an IDE. */
async function startAnswer(task: Task, node: Node, signal: AbortSignal): Promise<Sandbox> {
  const { image = '', setup } = task.config.pwp;
  const root = await node.agentRoot(image, { signal });
  await enterImage(task, { node, root: image, signal });
  const workspace = chooseTaskWorkspace(task, root);
  const seeds = (await task.seeds({}, workspace, root.home)).filter(({ path }) => path !== '/ide');
  const sandbox = await node.start(
    {
      ...{
        name: 'answer',
        role: 'bare',
        keep: false,
        display: defaultDisplay,
        root: image,
        workspace,
        seeds,
      },
      ...{ limits: readTaskLimits(task), network: readTaskNetwork(task) },
    },
    { signal },
  );
  try {
    if (setup !== undefined) requireSuccess(await play(task, `set -e\n${setup}`, sandbox, signal));
    return sandbox;
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

function requireSuccess({ exitCode, stdout, stderr }: ExecResult): void {
  if (exitCode === 0) return;
  const said = clipEnd(`${stdout}\n${stderr}`.trim(), 2000);
  throw new PwpError('setup-failed', `the set-up script of the task ended with ${exitCode}: ${said}`);
}

const scriptFolder = '/var/tmp/pwp-answer';

async function play(task: Task, text: string, sandbox: Sandbox, signal: AbortSignal): Promise<ExecResult> {
  // A program of the script may read its standard input, and its text is too long for an argument.
  await sandbox.unpack({ path: scriptFolder, tar: packArchive([makeTextEntry('run.sh', text)]) }, { signal });
  return await sandbox.exec(
    {
      argv: [imagePrograms.bash, '--noprofile', '--norc', `${scriptFolder}/run.sh`],
      ...{ cwd: sandbox.workspace, env: {}, maxOutputBytes },
      timeoutMs: task.config.agent.timeout_sec * 1000,
    },
    { signal },
  );
}

/** For bash: a line for each process, except for ours. */
const listRunning = `for path in /proc/[0-9]*/cmdline; do
  mapfile -d '' -t words < "$path"
  [[ \${words[0]:-} == /.pwp/* ]] || echo "\${words[*]}"
done 2> /dev/null > ${scriptFolder}/running`;

/** @returns command lines of the processes that it left running, which end with it */
async function playToEnd(
  task: Task,
  script: string,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<string[]> {
  await play(task, `(\n${script}\n)\n${listRunning}\n`, sandbox, signal);
  const bytes = await sandbox.readFile(`${scriptFolder}/running`, 1024 * 1024);
  const lines = Buffer.from(bytes ?? [])
    .toString('utf8')
    .split('\n');
  return lines.map((line) => clip(line.trim(), 200)).filter((line) => line !== '');
}

/** What it starts ends with the command that has started it: so that one goes on until the tests have ended. */
async function gradeWhileRunning(
  task: Task,
  script: string | null,
  sandbox: Sandbox,
  { node, signal }: ImageAnswersOptions,
) {
  const over = new AbortController();
  const whole = `(\n${script ?? ''}\n)\ntouch ${scriptFolder}/played\nexec ${imagePrograms.sleep} infinity\n`;
  const both = AbortSignal.any([signal, over.signal]);
  const playing = play(task, whole, sandbox, both);
  const played = awaitPlayed(sandbox, both);
  // If the command ends first, no one waits for this one.
  played.catch(() => undefined);
  try {
    await Promise.race([playing, played]);
    const { imageTests } = task;
    if (imageTests) return await runImageTests(imageTests, sandbox, { node, signal });
    throw new PwpError('grading-failed', `${task.id} has no tests of its image`);
  } finally {
    over.abort();
    await playing.catch(() => undefined);
  }
}

async function awaitPlayed(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const probe = async (): Promise<Probe<void>> => {
    const isThere = (await sandbox.readFile(`${scriptFolder}/played`, 1)) !== null;
    return isThere ? { done: true, value: undefined } : { done: false, saw: 'the answer is still given' };
  };
  await poll('the end of an answer', probe, { intervalMs: 200, signal });
}
