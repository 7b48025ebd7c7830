import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../bridge/lib/index.ts';
import { badData } from './errors.ts';
import { readData } from './place.ts';

/** By which the owners' file names the families, where it is not our name. */
const theirNames: Readonly<Record<string, string>> = {
  'swe-bench': 'swebench',
  'swe-bench-java': 'swebench-java',
  'swe-bench-multimodal': 'swebench_mm',
  'swt-bench': 'swtbench',
  'res-q': 'resq',
  'intercode-ctf': 'intercode',
};
/** Fields that have a record's id, in some family or other. */
const idFields = ['instance_id', 'task_id', 'full_name', 'question_id', 'ExampleID', 'id', 'name'];

const fileName = 'pwp_lite.json';
const families = z.record(z.string(), z.array(z.looseObject({})));

/** Which records PwP-Bench-Lite has, as its owners publish them. */
export interface Lite {
  /**
   * Of these ids of a dataset, those that the owners' file has, and how many it has that are not among them; undefined for
   * a family that the file doesn't have.
   */
  of: (dataset: string, ids: readonly string[]) => { ids: string[]; absent: number } | undefined;
}

/** The owners' `pwp_lite.json` beside the data; undefined if it does not exist. Errors: `bad-data`. */
export async function readLite(data: string): Promise<Lite | undefined> {
  const file = join(data, fileName);
  const text = await readData(file).then(String, () => undefined);
  if (text === undefined) return undefined;
  const raw = parsed(file, text);
  return {
    of: (dataset, ids) => {
      const records = raw[theirNames[dataset] ?? dataset];
      if (!records) return undefined;
      const found = new Set(records.flatMap((record) => idIn(record, ids) ?? []));
      return { ids: ids.filter((id) => found.has(id)), absent: records.length - found.size };
    },
  };
}

function idIn(record: Readonly<Record<string, unknown>>, ids: readonly string[]): string | undefined {
  const named = idFields.flatMap((field) => {
    const value = record[field];
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
  return ids.find((id) => named.includes(id) || named.includes(id.split('/').at(-1) ?? ''));
}

function parsed(file: string, text: string): z.output<typeof families> {
  try {
    return families.parse(JSON.parse(text));
  } catch (cause) {
    throw badData(file, `expected lists of records by family: ${messageOf(cause)}`, cause);
  }
}
