import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { badData, noData } from '../errors.ts';
import { readRecords } from '../records/index.ts';
import { about } from './about.ts';
import { chartmimicRecord, type Chart } from './record.ts';

export interface Charts {
  readonly charts: readonly Chart[];
  /** Records that can't be read: why, by their place. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** The charts of `test.jsonl`. Errors: `bad-data`, `no-data`. */
export async function chartsOfList(file: string): Promise<Charts> {
  const { records, unreadable } = await readRecords(file, chartmimicRecord);
  return { charts: records.map((record) => chartOf(dirname(file), record)), unreadable };
}

function chartOf(folder: string, record: z.output<typeof chartmimicRecord>): Chart {
  const isDirect = record.Task === 'Direct Mimic';
  return {
    id: `${isDirect ? 'direct' : 'customized'}/${record.ExampleID}`,
    wishes: isDirect ? null : record.Instruction,
    picture: below(folder, record.InputFigure),
    script: below(folder, record.GroundTruthFigureCode),
  };
}

/** The owners' paths begin in several places, and all end in folder and file. */
function below(folder: string, path: string): string {
  const parts = path.split('/').slice(-2);
  if (parts.includes('..')) throw badData(folder, `expected a path below it, found ${path}`);
  return join(folder, ...parts);
}

/** The charts of a folder of scripts and pictures, all to be copied. Errors: `bad-data`, `no-data`. */
export async function chartsOfFolder(folder: string): Promise<Charts> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw badData(folder, 'expected a folder of charts', cause);
  });
  const charts = names
    .filter((name) => name.endsWith('.py'))
    .map((name) => name.slice(0, -'.py'.length))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => ({
      id: `direct/${name}`,
      wishes: null,
      picture: join(folder, `${name}.png`),
      script: join(folder, `${name}.py`),
    }));
  if (charts.length === 0) throw noData(about, join(folder, '<name>.py'));
  return { charts, unreadable: new Map() };
}

/** Charts without one of their files: which is missing, by their id. */
export async function lackingCharts(charts: readonly Chart[]): Promise<ReadonlyMap<string, string>> {
  const lacking = new Map<string, string>();
  for (const { id, picture, script } of charts)
    for (const file of [picture, script])
      await access(file).catch(() => lacking.set(id, `${file} is missing`));
  return lacking;
}
