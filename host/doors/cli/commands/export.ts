import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import { readUntrustedText } from '../../../lib/index.ts';
import {
  findSweBenchDataset,
  ideBenchFiles,
  ideBenchLines,
  type IdeBenchLines,
  makePrediction,
  type SweBenchPrediction,
} from '../../../read/index.ts';
import {
  type EpisodeHistory,
  findRecords,
  findStudyFolder,
  placeInStudy,
  readRecord,
  readStudy,
  type ReadStudy,
  studyNames,
  withDistinctAgents,
  writeAtomic,
} from '../../../run/index.ts';
import { escapeControls, print } from '../output.ts';

interface ExportOptions {
  readonly out: string;
  readonly json?: true;
}

export function addExportCommand(program: Command): void {
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

async function findAllRecords(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => findRecords(resolve(folder))));
  return [...new Set(found.flat())];
}

/** Records with their places in studies. Agents of one name in two studies get distinct names, as in `pwp report`. */
async function placeRecords(folders: readonly string[]) {
  const records = await findAllRecords(folders);
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

const ideBenchFileNames = Object.entries(ideBenchFiles) as [keyof IdeBenchLines, string][];

async function exportIdeBench(folders: readonly string[], { out, json }: ExportOptions): Promise<void> {
  const records = await placeRecords(folders);
  await mkdir(out, { recursive: true });
  const counts: Record<string, number> = {};
  await using writing = new AsyncDisposableStack();
  const opened: [keyof IdeBenchLines, string, FileHandle][] = [];
  for (const [kind, name] of ideBenchFileNames) {
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

interface RecordWithoutPrediction {
  readonly record: string;
  readonly problem: string;
}

/** Attempts outside of studies are numbered in the order of their folders. */
async function exportPredictions(folders: readonly string[], { out, json }: ExportOptions): Promise<void> {
  const files = new PredictionFiles();
  const records = await findAllRecords(folders);
  const without = await findMissingAttempts([
    ...folders,
    ...records.flatMap((record) => findStudyFolder(record) ?? []),
  ]);
  const isOpen = (record: string) => without.some(({ record: attempt }) => attempt === dirname(record));
  for (const record of records) if (!isOpen(record)) without.push(...(await addPrediction(files, record)));
  for (const { record, problem } of without)
    process.stderr.write(`${escapeControls(`${record}: ${problem}`)}\n`);
  if (files.isEmpty)
    throw new PwpError('no-record', `${folders.join(', ')}: there is no prediction for SWE-bench's harness`, {
      help: 'Each graded attempt at a record of SWE-bench, one of its variants, or SWT-Bench has one.',
    });
  const counts = await files.write(out);
  print({ files: counts, without }, json ?? false, () => countLines(counts));
}

/** Attempts that the studies should have for the benchmark, and lack. */
async function findMissingAttempts(folders: readonly string[]): Promise<RecordWithoutPrediction[]> {
  const studies = [...new Set(folders.map((folder) => resolve(folder)))];
  const isWanted = (task: string) => findSweBenchDataset(task) !== null;
  const gaps = await Promise.all(studies.map((study) => findAttemptsWithoutRecord(study, isWanted)));
  return gaps.flat().map(({ folder, problem }) => ({ record: folder, problem }));
}

/** @returns the attempts without a prediction */
async function addPrediction(files: PredictionFiles, record: string): Promise<RecordWithoutPrediction[]> {
  const [history, place] = [await readRecord(record), await placeInStudy(record)];
  const { task, agent } = history.result;
  const dataset = findSweBenchDataset(task);
  if (dataset === null || place?.counts === false) return [];
  const found = makePrediction(history, await readPatchText(record, history));
  if ('problem' in found) return [{ record, problem: found.problem }];
  const model = agent.model ?? null;
  const name = place?.agent ?? [agent.name, ...(model === null ? [] : [model])].join('-');
  files.add(found.prediction, { dataset, agent: name, model, attempt: place?.attempt ?? null, record });
  return found.leftOut.map((path) => ({ record, problem: `${path} is binary or too large, and left out` }));
}

async function readPatchText(record: string, { changes }: EpisodeHistory): Promise<string | null> {
  if (changes === null || changes.patch === null) return null;
  return readUntrustedText(record, basename(changes.patch)).catch(() => null);
}

/** The origin of a prediction, which decides the file it goes into. */
interface PredictionSource {
  readonly dataset: string;
  /** As its study or its record names it. */
  readonly agent: string;
  readonly model: string | null;
  /** Number of the attempt in its study; null outside of studies: then the first file without such a record is used. */
  readonly attempt: number | null;
  /** Folder of the record. */
  readonly record: string;
}

interface PredictionFile {
  readonly model: string | null;
  readonly byInstance: Map<string, { readonly prediction: SweBenchPrediction; readonly record: string }>;
}

/**
 * One file for each dataset, agent and attempt: a harness grades one dataset at a time and takes a record once. It keeps
 * its results below `model_name_or_path`, and skips what it finds there, so that is the file's name.
 */
class PredictionFiles {
  readonly #files = new Map<string, PredictionFile>();

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** Errors: `usage` where another study has the same attempt, or another model as the same agent. */
  add(prediction: SweBenchPrediction, source: PredictionSource): void {
    const { attempt, record } = source;
    const instance = prediction.instance_id;
    for (let number = attempt ?? 1; ; number += 1) {
      const name = namePredictionFile(source, number);
      const file: PredictionFile = this.#files.get(name) ?? { model: source.model, byInstance: new Map() };
      const former = file.byInstance.get(instance);
      const isOther = file.model !== source.model;
      if (attempt === null && (former || isOther)) continue;
      if (former || isOther) {
        const [same] = former ? [former] : file.byInstance.values();
        throw new PwpError('usage', `${record} and ${same?.record ?? name} are both ${name}`, {
          help: 'Export each study to a folder of its own.',
        });
      }
      this.#files.set(name, file);
      file.byInstance.set(instance, { prediction, record });
      return;
    }
  }

  async write(folder: string): Promise<Record<string, number>> {
    await mkdir(folder, { recursive: true });
    const counts: Record<string, number> = {};
    for (const [name, { byInstance }] of this.#files) {
      const path = join(folder, `${name}.jsonl`);
      const lines = [...byInstance.values()].map(
        ({ prediction }) => `${toJson({ ...prediction, model_name_or_path: name })}\n`,
      );
      await writeAtomic(path, lines.join(''));
      counts[path] = lines.length;
    }
    return counts;
  }
}

/** Also the name of a folder. */
function namePredictionFile({ dataset, agent }: PredictionSource, number: number): string {
  return `${dataset}-${agent}-${number}`.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}

/** An attempt or a study without a record of its end, and why. */
interface AttemptWithoutRecord {
  /** Folder of an attempt, or of the study. */
  readonly folder: string;
  readonly problem: string;
}

/**
 * Attempts of a study that left no record that counts. Empty for a folder that is not a study's.
 * @param isWanted is called with the name of the attempt's task
 */
async function findAttemptsWithoutRecord(
  folder: string,
  isWanted: (task: string) => boolean,
): Promise<AttemptWithoutRecord[]> {
  const study = await openStudyIfAny(folder);
  if (!study) return [];
  const found: AttemptWithoutRecord[] = [];
  let begun = 0;
  for await (const attempt of study.attempts()) {
    begun += 1;
    if (!isWanted(findAttemptTask(study, attempt.folder))) continue;
    if ('problem' in attempt) found.push(attempt);
    else if (attempt.result.record === null)
      found.push({ folder: attempt.folder, problem: attempt.result.why ?? 'it left no record' });
  }
  const missing = (study.planned ?? begun) - begun;
  if (missing > 0)
    found.push({ folder, problem: `${missing} of its ${study.planned} attempts have not begun` });
  return found;
}

function findAttemptTask({ names }: ReadStudy, attempt: string): string {
  return names.tasks.get(basename(dirname(dirname(attempt)))) ?? '';
}

async function openStudyIfAny(folder: string): Promise<ReadStudy | null> {
  try {
    return await readStudy(folder);
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-study') return null;
    throw error;
  }
}
