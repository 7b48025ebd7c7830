import { describeError } from '../../../bridge/lib/index.ts';
import { defaultDisplay, defaultLimits, type Node } from '../../node/index.ts';
import type { ImageTask } from '../format/index.ts';
import { grade, type OwnAnswers, type OwnGrade } from '../grade/index.ts';

interface OwnImageOptions {
  readonly node: Node;
  /** As `SandboxSpec.root`: the task's own image. */
  readonly root: string;
  readonly signal: AbortSignal;
}

/** As `gradeOwnAnswers`, in an image: each answer has a sandbox of its own, and is graded as an agent's. */
export async function gradeInOwnImage(
  task: ImageTask,
  answers: OwnAnswers['answers'],
  options: OwnImageOptions,
): Promise<OwnGrade[]> {
  const grades: OwnGrade[] = [];
  for (const answer of answers) grades.push(await gradeOne(task, answer, options));
  return grades;
}

async function gradeOne(
  task: ImageTask,
  { name, script }: OwnAnswers['answers'][number],
  { node, root, signal }: OwnImageOptions,
): Promise<OwnGrade> {
  const start = performance.now();
  const end = () => ({ name, running: [], ms: performance.now() - start });
  const workspace = task.workspacePath;
  const spec = { name: 'own-answer', role: 'bare', keep: false, root, workspace } as const;
  const place = { ...spec, display: defaultDisplay, limits: defaultLimits };
  try {
    await using sandbox = await node.start({ ...place, seeds: await task.seeds({}, workspace) }, { signal });
    if (script !== null) await sandbox.exec(describeScript(script, workspace), { signal });
    const { reward, checks } = await grade({ node, sandbox, task, signal });
    return { ...end(), reward, checks, problem: null };
  } catch (error) {
    signal.throwIfAborted();
    return { ...end(), reward: null, checks: [], problem: describeError(error) };
  }
}

function describeScript(script: string, cwd: string) {
  const argv = ['/bin/bash', '-c', script];
  return { argv, cwd, env: { HOME: '/root' }, timeoutMs: 600_000, maxOutputBytes: 100_000 };
}
