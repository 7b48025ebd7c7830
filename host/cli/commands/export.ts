import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ideBenchFiles, ideBenchLines, type IdeBenchLines } from '../../analysis/index.ts';
import { findRecords, readRecord } from '../../record/index.ts';
import { placeInStudy } from '../../study/index.ts';
import { print } from '../output.ts';

interface Options {
  readonly out: string;
  readonly json?: true;
}

export function addExport(program: Command): void {
  const group = program.command('export').description('write records in the format of another harness');
  group
    .command('ide-bench')
    .description('the four files that the IDE-Bench paper names, of all records in these folders')
    .argument('<folders...>', 'a record, a study, or a folder that holds records')
    .option('--out <folder>', 'folder for the files', 'ide-bench')
    .option('--json', 'print as JSON')
    .action(exportIdeBench);
}

const files = Object.entries(ideBenchFiles) as [keyof IdeBenchLines, string][];

async function exportIdeBench(folders: readonly string[], { out, json }: Options): Promise<void> {
  const records = [...new Set((await Promise.all(folders.map(findRecords))).flat())];
  await mkdir(out, { recursive: true });
  const counts: Record<string, number> = {};
  await using writing = new AsyncDisposableStack();
  const opened: [keyof IdeBenchLines, string, FileHandle][] = [];
  for (const [kind, name] of files) {
    const path = join(out, name);
    // Gone already if all went well.
    writing.defer(() => rm(`${path}.tmp`, { force: true }));
    opened.push([kind, path, writing.use(await open(`${path}.tmp`, 'w', 0o600))]);
  }
  for (const record of records) {
    const lines = ideBenchLines(await readRecord(record), await placeInStudy(record));
    for (const [kind, path, file] of opened) {
      await file.appendFile(lines[kind].map((line) => `${JSON.stringify(line)}\n`).join(''));
      counts[path] = (counts[path] ?? 0) + lines[kind].length;
    }
  }
  for (const [, path] of opened) await rename(`${path}.tmp`, path);
  print({ records: records.length, files: counts }, json ?? false, () =>
    Object.entries(counts)
      .map(([path, count]) => `${path}: ${count} ${count === 1 ? 'line' : 'lines'}`)
      .join('\n'),
  );
}
