import { clip } from '../../bridge/lib/index.ts';
import type { TaskFiles } from './task-files.ts';

const workspace = '/workspace';
const programs =
  /\b(?:pytest|python\d?(?:\.\d+)?|node|npm|npx|bash|sh|source|make|go|cargo|ruby|java|mvn|gradle)\b/;

/** Names of files that run code, by their ending. */
const rules: readonly { readonly files: RegExp; readonly runs: RegExp }[] = [
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
export async function agentCodeUses(task: TaskFiles): Promise<string[]> {
  const entries = await task.tree('tests');
  return entries.flatMap((entry) =>
    entry.kind === 'file' ? usesIn(`tests/${entry.path}`, Buffer.from(entry.content).toString('utf8')) : [],
  );
}

/** As {@link agentCodeUses}, of one file. */
export function usesIn(path: string, text: string): string[] {
  if (!text.includes(workspace)) return [];
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:#|\/\/).*$/, ''));
  const found = path.endsWith('.sh') ? shellUses(lines) : lines.map((line) => runs(path, line));
  return lines.flatMap((line, index) =>
    found[index] === true ? [`${path}:${index + 1}: ${clip(line.trim(), 200)}`] : [],
  );
}

function runs(path: string, line: string): boolean {
  return rules.some((rule) => rule.files.test(path) && rule.runs.test(line));
}

/** A program that is given the workspace, is run in it, or lies in it. */
function shellUses(lines: readonly string[]): boolean[] {
  let inside = false;
  return lines.map((line) => {
    if (/\bcd\s/.test(line)) inside = new RegExp(String.raw`\bcd\s+["']?${workspace}`).test(line);
    const started = new RegExp(String.raw`(?:^|[;&|(]|\bexec)\s*["']?${workspace}/`).test(line);
    return started || (programs.test(line) && (inside || line.includes(workspace)));
  });
}
