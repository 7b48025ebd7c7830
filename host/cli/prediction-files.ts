import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError, toJson } from '../../bridge/lib/index.ts';
import type { Prediction } from '../analysis/index.ts';
import { writeAtomic } from '../record/index.ts';

/** The origin of a prediction, which decides the file it goes into. */
export interface PredictionSource {
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
  readonly byInstance: Map<string, { readonly prediction: Prediction; readonly record: string }>;
}

/**
 * One file for each dataset, agent and attempt: a harness grades one dataset at a time and takes a record once. It keeps
 * its results below `model_name_or_path`, and skips what it finds there, so that is the file's name.
 */
export class PredictionFiles {
  readonly #files = new Map<string, PredictionFile>();

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** Errors: `usage` where another study has the same attempt, or another model as the same agent. */
  add(prediction: Prediction, source: PredictionSource): void {
    const { attempt, record } = source;
    const instance = prediction.instance_id;
    for (let number = attempt ?? 1; ; number += 1) {
      const name = nameOf(source, number);
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
function nameOf({ dataset, agent }: PredictionSource, number: number): string {
  return `${dataset}-${agent}-${number}`.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}
