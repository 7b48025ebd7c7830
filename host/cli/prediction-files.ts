import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Prediction } from '../analysis/index.ts';
import { writeAtomic } from '../record/index.ts';
import type { PlaceInStudy } from '../study/index.ts';

/** One file for each agent and attempt: the harness takes a record once. */
export class PredictionFiles {
  readonly #byName = new Map<string, Map<string, Prediction>>();

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** @param place in its study; without one, it is the first attempt that has no such record yet */
  add(prediction: Prediction, place: PlaceInStudy | null): void {
    const { instance_id: id, model_name_or_path: model } = prediction;
    for (let number = place?.attempt ?? 1; ; number++) {
      const file = this.#file(`${fileName(place?.agent ?? model)}-${number}.jsonl`);
      if (file.has(id)) continue;
      file.set(id, prediction);
      return;
    }
  }

  async write(folder: string): Promise<Record<string, number>> {
    await mkdir(folder, { recursive: true });
    const counts: Record<string, number> = {};
    for (const [name, predictions] of this.#byName) {
      const path = join(folder, name);
      const lines = [...predictions.values()].map((line) => `${JSON.stringify(line)}\n`);
      await writeAtomic(path, lines.join(''));
      counts[path] = lines.length;
    }
    return counts;
  }

  #file(name: string): Map<string, Prediction> {
    const file = this.#byName.get(name) ?? new Map<string, Prediction>();
    this.#byName.set(name, file);
    return file;
  }
}

function fileName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}
