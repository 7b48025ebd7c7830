import { ide } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/** VS Code's state, read from its files and its tabs: sources that effects are not judged by. */
export interface Truth {
  /** The user's settings.json, parsed. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Files of the workspace as they are on the disk, by their path in it. */
  readonly files: Readonly<Record<string, string>>;
  /** Labels of all tabs, the active one of each group with a star. */
  readonly tabs: readonly string[];
  /** Labels of tabs that the next file replaces. */
  readonly previews: readonly string[];
  /** As `app.py:5`. */
  readonly breakpoints: readonly string[];
  /** Subjects of the commits of the workspace's repository, the newest first. */
  readonly commits: readonly string[];
}

export async function readTruth(sandbox: Sandbox, signal: AbortSignal): Promise<Truth> {
  const { groups } = await sandbox.call(ide.tabs, {}, { signal });
  const { breakpoints } = await sandbox.call(ide.breakpoints, {}, { signal });
  const settings = await sandbox.readFile('/ide/data/User/settings.json', 1024 * 1024);
  return {
    settings: JSON.parse(Buffer.from(settings ?? '').toString() || '{}') as Truth['settings'],
    files: await readFiles(sandbox, signal),
    previews: groups.flatMap(({ tabs }) => tabs.flatMap(({ label, preview }) => (preview ? [label] : []))),
    breakpoints: breakpoints.map(({ uri, line }) => `${uri?.split('/').at(-1) ?? ''}:${line ?? 0}`),
    commits: await readCommits(sandbox, signal),
    tabs: groups.flatMap(({ tabs }) => tabs.map(({ label, active }) => (active ? `${label}*` : label))),
  };
}

async function readCommits(sandbox: Sandbox, signal: AbortSignal): Promise<string[]> {
  const argv = ['git', 'log', '--format=%s'];
  const where = { cwd: '/workspace', env: {}, timeoutMs: 20_000, maxOutputBytes: 100_000 };
  const { stdout } = await sandbox.exec({ argv, ...where }, { signal });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Each file comes under a line with its name. */
async function readFiles(sandbox: Sandbox, signal: AbortSignal): Promise<Record<string, string>> {
  const script = 'find . -type f -not -path "./.git/*" -print0 | sort -z | xargs -0 head -v -c 20000';
  const { stdout } = await sandbox.exec(
    {
      argv: ['sh', '-c', script],
      cwd: '/workspace',
      env: {},
      timeoutMs: 20_000,
      maxOutputBytes: 1024 * 1024,
    },
    { signal },
  );
  const [, ...parts] = stdout.split(/^==> \.\/(.*) <==\n/mu);
  return Object.fromEntries(
    parts.flatMap((part, i) => (i % 2 === 0 ? [[part, parts[i + 1]?.replace(/\n$/u, '') ?? '']] : [])),
  );
}
