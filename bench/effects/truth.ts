import { ide } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/** What VS Code holds, read from its files and its tabs: nothing that effects are judged by. */
export interface Truth {
  /** The user's settings.json, parsed. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** README.md of the workspace, as it is on the disk. */
  readonly text: string;
  /** Labels of all tabs, the active one of each group with a star. */
  readonly tabs: readonly string[];
}

export async function readTruth(sandbox: Sandbox, signal: AbortSignal): Promise<Truth> {
  const { groups } = await sandbox.call(ide.tabs, {}, { signal });
  const settings = JSON.parse((await textOf(sandbox, '/ide/data/User/settings.json')) || '{}') as unknown;
  return {
    settings: settings as Truth['settings'],
    text: await textOf(sandbox, '/workspace/README.md'),
    tabs: groups.flatMap(({ tabs }) => tabs.map(({ label, active }) => (active ? `${label}*` : label))),
  };
}

async function textOf(sandbox: Sandbox, path: string): Promise<string> {
  return Buffer.from((await sandbox.readFile(path, 1024 * 1024)) ?? '').toString();
}
