import { readFile } from 'node:fs/promises';

/** The kernel's facts about a process. */
export interface ProcessStatus {
  readonly name: string;
  /** Its number inside the sandbox. */
  readonly inside: string;
  /** Process outside that traces it; 0 for none. */
  readonly tracer: number;
}

/** Undefined for one that has ended meanwhile. */
export async function statusOf(pid: number): Promise<ProcessStatus | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1];
  const name = field('Name');
  if (name === undefined) return undefined;
  const inside = field('NSpid')?.split(/\s+/).at(-1) ?? String(pid);
  return { name, inside, tracer: Number(field('TracerPid') ?? 0) };
}

/** How a process is named to people. */
export function processName({ name, inside }: ProcessStatus): string {
  return `${name} (process ${inside})`;
}
