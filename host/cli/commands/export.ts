import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError, toJson } from '../../../bridge/lib/index.ts';
import { readForeignText } from '../../lib/index.ts';
import {
  ideBenchFiles,
  ideBenchLines,
  predictionOf,
  sweBenchDataset,
  type IdeBenchLines,
} from '../../analysis/index.ts';
import { findRecords, readRecord, type EpisodeHistory } from '../../record/index.ts';
import { placeInStudy, studyNames, studyOf, withDistinctAgents } from '../../study/index.ts';
import { attemptsWithoutRecord } from '../attempts-without-record.ts';
import { print } from '../output.ts';
import { PredictionFiles } from '../prediction-files.ts';
import { printable } from '../printable.ts';

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
  group
    .command('swe-bench')
    .description(
      "what agents changed, as predictions for SWE-bench's own harness: a file for each agent and attempt",
    )
    .argument('<folders...>', 'a record, a study, or a folder that holds records')
    .option('--out <folder>', 'folder for the files', 'predictions')
    .option('--json', 'print as JSON')
    .action(exportPredictions);
}

async function recordsIn(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => findRecords(resolve(folder))));
  return [...new Set(found.flat())];
}

/** Records with their places in studies. Agents of one name in two studies get distinct names, as in `pwp report`. */
async function placedRecords(folders: readonly string[]) {
  const records = await recordsIn(folders);
  const places = await Promise.all(records.map((record) => placeInStudy(record)));
  const names = studyNames(places.flatMap((place) => place?.study ?? []));
  const rows = records.flatMap((record, i) => {
    const place = places[i];
    if (!place) return [];
    const { study, agentName: agent, attempt, counts } = place;
    return [{ record, study: names.get(study) ?? study, agent, attempt, counts }];
  });
  const byRecord = new Map(withDistinctAgents(rows).map((row) => [row.record, row]));
  return records.map((record) => ({ record, place: byRecord.get(record) ?? null }));
}

const files = Object.entries(ideBenchFiles) as [keyof IdeBenchLines, string][];

async function exportIdeBench(folders: readonly string[], { out, json }: Options): Promise<void> {
  const records = await placedRecords(folders);
  await mkdir(out, { recursive: true });
  const counts: Record<string, number> = {};
  await using writing = new AsyncDisposableStack();
  const opened: [keyof IdeBenchLines, string, FileHandle][] = [];
  for (const [kind, name] of files) {
    const path = join(out, name);
    // Renamed by then if all went well.
    writing.defer(() => rm(`${path}.tmp`, { force: true }));
    opened.push([kind, path, writing.use(await open(`${path}.tmp`, 'w', 0o600))]);
  }
  for (const { record, place } of records) {
    const lines = ideBenchLines(await readRecord(record), place);
    for (const [kind, path, file] of opened) {
      await file.appendFile(lines[kind].map((line) => `${toJson(line)}\n`).join(''));
      counts[path] = (counts[path] ?? 0) + lines[kind].length;
    }
  }
  for (const [, path] of opened) await rename(`${path}.tmp`, path);
  print({ records: records.length, files: counts }, json ?? false, () => countLines(counts));
}

function countLines(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([path, count]) => `${path}: ${count} ${count === 1 ? 'line' : 'lines'}`)
    .join('\n');
}

interface Without {
  readonly record: string;
  readonly problem: string;
}

/** Attempts outside of studies are numbered in the order of their folders. */
async function exportPredictions(folders: readonly string[], { out, json }: Options): Promise<void> {
  const files = new PredictionFiles();
  const records = await recordsIn(folders);
  const without = await gapsIn([...folders, ...records.flatMap((record) => studyOf(record) ?? [])]);
  const isOpen = (record: string) => without.some(({ record: attempt }) => attempt === dirname(record));
  for (const record of records) if (!isOpen(record)) without.push(...(await addPrediction(files, record)));
  for (const { record, problem } of without) process.stderr.write(`${printable(`${record}: ${problem}`)}\n`);
  if (files.isEmpty)
    throw new PwpError('no-record', `${folders.join(', ')}: there is no prediction for SWE-bench's harness`, {
      help: 'Each graded attempt at a record of SWE-bench, one of its variants, or SWT-Bench has one.',
    });
  const counts = await files.write(out);
  print({ files: counts, without }, json ?? false, () => countLines(counts));
}

/** Attempts that the studies should have for the benchmark, and lack. */
async function gapsIn(folders: readonly string[]): Promise<Without[]> {
  const studies = [...new Set(folders.map((folder) => resolve(folder)))];
  const isWanted = (task: string) => sweBenchDataset(task) !== null;
  const gaps = await Promise.all(studies.map((study) => attemptsWithoutRecord(study, isWanted)));
  return gaps.flat().map(({ folder, problem }) => ({ record: folder, problem }));
}

/** @returns the attempts without a prediction */
async function addPrediction(files: PredictionFiles, record: string): Promise<Without[]> {
  const [history, place] = [await readRecord(record), await placeInStudy(record)];
  const { task, agent } = history.result;
  const dataset = sweBenchDataset(task);
  if (dataset === null || place?.counts === false) return [];
  const found = predictionOf(history, await patchIn(record, history));
  if ('problem' in found) return [{ record, problem: found.problem }];
  const model = agent.model ?? null;
  const name = place?.agent ?? [agent.name, ...(model === null ? [] : [model])].join('-');
  files.add(found.prediction, { dataset, agent: name, model, attempt: place?.attempt ?? null, record });
  return found.leftOut.map((path) => ({ record, problem: `${path} is binary or too large, and left out` }));
}

async function patchIn(record: string, { changes }: EpisodeHistory): Promise<string | null> {
  if (changes === null || changes.patch === null) return null;
  return readForeignText(record, basename(changes.patch)).catch(() => null);
}
