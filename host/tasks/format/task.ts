import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { ArchiveEntry, StreamedTaskSeed } from './archive.ts';
import type { ImageTests } from './image-test-runs.ts';
import { findTaskLeaks, type Leak } from './leaks.ts';
import type { RunVariant } from './make-variant.ts';
import { type FalseSolution, readFalseSolutions, readSolutions, type Solution } from './solutions.ts';
import type { IdeSettings, TaskConfig } from './task-config.ts';
import type { TaskFiles } from './task-files.ts';
import {
  listWorkspaceFiles,
  packInitialSeeds,
  packTestSeeds,
  type TaskSeed,
  type WorkspaceFiles,
} from './task-seeds.ts';

/** A task, checked; archives are made on request. */
export interface Task {
  /** Name of the folder above and of the task's own, e.g. `vscode/autosave-500`. */
  readonly id: string;
  /** Absolute path of its folder, or of the data that it was made from. */
  readonly path: string;
  /** The seed of its variant; null for a task that is the same with every seed. */
  readonly seed: number | null;
  /**
   * The instruction for the agent, without the white space around it. Words of a variant that is not made yet are missing:
   * `{{name}}` is in their place.
   */
  readonly instruction: string;
  readonly config: TaskConfig;
  /**
   * Present while its variant is not made: runs its variant.mjs, once for a task, and gives the whole task. Until then all
   * that depends on the seed rejects with `variant-not-made`. `withVariant` runs it in a sandbox of a node.
   */
  readonly make?: (run: RunVariant, image?: string) => Promise<Task>;
  /** Present if its tests run in its image as their owners' command runs them; then {@link testSeeds} are not used. */
  readonly imageTests?: ImageTests;
  /**
   * The initial state, as archives for a new sandbox; the same bytes every time. The last may be a streamed one.
   * @param base user settings that every task starts with; the task's own win
   * @param workspace the sandbox's workspace: an absolute path. Default `/workspace`, as in all of these methods
   * @param home of the agent's user. Default `/root`
   */
  seeds(base?: IdeSettings, workspace?: string, home?: string): Promise<(TaskSeed | StreamedTaskSeed)[]>;
  /** The contents of the workspace at the start. Errors: `no-tests` for a task that can't be graded. */
  workspace(workspace?: string): Promise<WorkspaceFiles>;
  /**
   * The tests, for the grading sandbox alone.
   * @param copied folders that hold what the agent left: files of the image would replace it there
   */
  testSeeds(copied?: readonly string[]): Promise<TaskSeed[]>;
  /** Places where the agent could read the content of tests and solutions. */
  leaks(): Promise<Leak[]>;
  /**
   * Lines of the tests that seem to run the agent's code beside them, as `tests/check.py:12: …`: a hint, not a proof.
   */
  agentCodeUses(workspace?: string): Promise<string[]>;
  /** Solutions that must score 1, sorted by name. */
  solutions(): Promise<Solution[]>;
  /** Solutions that must score 0, sorted by name. */
  falseSolutions(): Promise<FalseSolution[]>;
  /** The task in an image that has its workspace; absent if an image only brings programs. `enterImage` checks the image. */
  readonly inImage?: ImageTask;
  /** Looks at the image that the task is about to be played in. Errors: `unsupported`, `bad-data`. */
  checkImage?(image: TaskImage): Promise<void>;
}

/** A task whose workspace comes with an image. It has no tests: code of its owners' judges a patch in that image. */
export interface ImageTask extends Task {
  /** Absolute path of the workspace in the image. */
  readonly workspacePath: string;
  /** Errors: `unsupported` for an image of another task, or one that shows the solution; `bad-data`. */
  checkImage(image: TaskImage): Promise<void>;
  /** @param patch all changes of the workspace, as text */
  judge(patch: string, image: TaskImage): Promise<JudgedPatch>;
}

/** An image as an {@link ImageTask} uses it. */
export interface TaskImage {
  /** As it was asked for. */
  readonly name: string;
  /** The same for the same image. */
  readonly key: string;
  /** Starts a fresh sandbox of the image, without a desktop. */
  readonly start: (files: readonly ArchiveEntry[]) => Promise<Sandbox>;
  readonly signal: AbortSignal;
}

export interface JudgedPatch {
  /** 0 to 1; null: there is no score. */
  readonly reward: number | null;
  readonly checks: readonly {
    readonly name: string;
    readonly passed: boolean | null;
    readonly why: string;
  }[];
  /** Why there is no score. */
  readonly why?: string;
  /** What the tests printed. */
  readonly log: string;
}

/** In place of an image: our own, also where the task names another one. */
const noImage = 'none';

/**
 * The image that a task is played in; undefined for our own.
 * @param image in place of the task's own; `{id}` in it is the task's name, without its family
 */
export function chooseImage(
  { id, config }: Pick<Task, 'id' | 'config'>,
  image = config.pwp.image,
): string | undefined {
  return image === noImage ? undefined : image?.replaceAll('{id}', id.slice(id.indexOf('/') + 1));
}

/** Whether the task can be played in its own image alone. */
export function isOfImage({ config, inImage }: Pick<Task, 'config' | 'inImage'>): boolean {
  return config.pwp.image !== undefined && inImage === undefined;
}

/** A task of its files, which have been checked. */
export function taskFromFiles(
  files: TaskFiles,
  described: Pick<Task, 'id' | 'seed' | 'instruction' | 'config' | 'imageTests'>,
): Task {
  const { config } = described;
  return {
    ...described,
    path: files.path,
    seeds: (...given) => packInitialSeeds(files, config, ...given),
    workspace: (workspace) => listWorkspaceFiles(files, config, workspace),
    testSeeds: (copied) => packTestSeeds(files, copied),
    leaks: () => findTaskLeaks(files, config),
    agentCodeUses: (workspace) => findAgentCodeUses(files, workspace),
    solutions: () => readSolutions(files, 'solution'),
    falseSolutions: () => readFalseSolutions(files),
  };
}

const programNames =
  /\b(?:pytest|python\d?(?:\.\d+)?|node|npm|npx|bash|sh|source|make|go|cargo|ruby|java|mvn|gradle)\b/;

/** Names of files that run code, by their ending. */
const codeRules: readonly { readonly files: RegExp; readonly runs: RegExp }[] = [
  {
    files: /\.py$/,
    runs: /\bsys\.path\b.*workspace|\bsubprocess\b|\bos\.(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*)\b|\b(?:runpy|importlib|pytest)\b|\b(?:exec|eval|__import__)\(/,
  },
  {
    files: /\.[cm]?[jt]s$/,
    runs: /\bchild_process\b|\bimport\(|\brequire\(.*workspace|\beval\(|\bnode:vm\b/,
  },
];

/**
 * Lines of a task's tests that seem to run what the agent left beside the tests, which no check of its text makes safe.
 * Judged by the text alone: a hint for the author, not a proof.
 */
async function findAgentCodeUses(task: TaskFiles, workspace?: string): Promise<string[]> {
  const entries = await task.tree('tests');
  return entries.flatMap((entry) =>
    entry.kind === 'file'
      ? findCodeUses(`tests/${entry.path}`, Buffer.from(entry.content).toString('utf8'), workspace)
      : [],
  );
}

/** As {@link findAgentCodeUses}, of one file. */
export function findCodeUses(path: string, text: string, workspace = defaultWorkspace): string[] {
  if (!text.includes(workspace)) return [];
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:#|\/\/).*$/, ''));
  // The rules are written for the default workspace.
  const judged = lines.map((line) => line.replaceAll(workspace, defaultWorkspace));
  const found = path.endsWith('.sh') ? findShellUses(judged) : judged.map((line) => runsCode(path, line));
  return lines.flatMap((line, index) =>
    found[index] === true ? [`${path}:${index + 1}: ${clip(line.trim(), 200)}`] : [],
  );
}

function runsCode(path: string, line: string): boolean {
  return codeRules.some((rule) => rule.files.test(path) && rule.runs.test(line));
}

/** A program that is given the workspace, is run in it, or lies in it. */
function findShellUses(lines: readonly string[]): boolean[] {
  let inside = false;
  return lines.map((line) => {
    if (/\bcd\s/.test(line)) inside = new RegExp(String.raw`\bcd\s+["']?${defaultWorkspace}`).test(line);
    const started = new RegExp(String.raw`(?:^|[;&|(]|\bexec)\s*["']?${defaultWorkspace}/`).test(line);
    return started || (programNames.test(line) && (inside || line.includes(defaultWorkspace)));
  });
}
