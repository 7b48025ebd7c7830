import type { Sandbox } from '../../node/index.ts';

/** Folder inside the sandbox, outside of the workspace, for the state of the files at the take-over. */
export const folder = '/var/tmp/pwp-turn';
/** Longest for one look at all files, in milliseconds; a workspace that takes longer is not compared. */
const filesMs = 10_000;
/** The maximum size of the differences of all files. */
const outputBytes = 20_000;

/**
 * A separate repository beside the workspace, which itself is not touched. It leaves out files that the workspace
 * ignores, folders of packages, and files of more than 1 MiB.
 */
const prelude = `
set -eu
export GIT_DIR=${folder}/files.git GIT_WORK_TREE="$1" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME=/nonexistent
cd "$1"
tree() {
  { printf '%s\\n' node_modules/ .venv/ __pycache__/
    find . -name .git -prune -o -type f -size +1024k -printf '/%P\\n' | sed 's/[][*?\\\\ ]/\\\\&/g'
  } > "$GIT_DIR/info/exclude"
  git -c core.autocrlf=false -c core.safecrlf=false -c gc.auto=0 add -A --ignore-errors . 2> /dev/null || true
  git write-tree
}
`;

const note = `${prelude}
mkdir -p -m 700 ${folder}
[ -d "$GIT_DIR/info" ] || git init -q
tree
`;

const compare = `${prelude}
old="$2"
new=$(tree)
git -c core.quotePath=false diff --no-ext-diff --no-color --stat=80 "$old" "$new"
printf '\\0'
git -c core.quotePath=false diff --no-ext-diff --no-color -U1 "$old" "$new"
`;

/** The differences between two states of the files. */
export interface FileChanges {
  /** As `git diff --stat` has it; empty if nothing differs. */
  readonly summary: string;
  /** With one line around each change. */
  readonly diff: string;
}

/** Notes the files as they are now, under a name that git gives them; undefined if that can't be done in time. */
export async function noteFiles(
  sandbox: Sandbox,
  workspace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const tree = (await run(sandbox, note, [workspace], signal))?.trim();
  return tree !== undefined && /^[0-9a-f]{40,64}$/.test(tree) ? tree : undefined;
}

/** The changes since `tree` was noted; undefined if they can't be read in time. */
export async function compareFiles(
  sandbox: Sandbox,
  workspace: string,
  tree: string,
  signal: AbortSignal,
): Promise<FileChanges | undefined> {
  const output = await run(sandbox, compare, [workspace, tree], signal);
  if (output === undefined) return undefined;
  const [summary = '', diff = ''] = output.split('\0', 2);
  return { summary: summary.trimEnd(), diff: diff.trimEnd() };
}

async function run(
  sandbox: Sandbox,
  script: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { exitCode, stdout } = await sandbox.exec(
    {
      argv: ['bash', '-c', script, 'bash', ...args],
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      timeoutMs: filesMs,
      maxOutputBytes: outputBytes,
    },
    { signal },
  );
  return exitCode === 0 ? stdout : undefined;
}
