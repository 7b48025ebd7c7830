import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { toJson } from '../../bridge/lib/index.ts';
import type { Mark } from '../../bridge/protocol/index.ts';
import type { AnswerPicture, Observation, Picture } from '../env/index.ts';
import { recordFiles, writeAtomic } from './files.ts';
import type { RecordedImage } from './actions.ts';
import type { RecordedObservation } from './observation.ts';

/** Draws marks on a screenshot, as a PNG. */
export type Annotate = (screen: Picture, marks: readonly Mark[]) => Promise<Picture>;

/** The files in `frames/`: the same content is kept once. */
export class Frames {
  readonly #folder: string;
  readonly #annotate: Annotate | undefined;
  readonly #paths = new Map<string, string>();
  #next = 0;
  #images = 0;

  constructor(folder: string, annotate: Annotate | undefined) {
    this.#folder = folder;
    this.#annotate = annotate;
  }

  /** Keeps the pictures and marks of one observation; the first is number 0. */
  async save(observation: Observation): Promise<RecordedObservation> {
    const name = String(this.#next++).padStart(4, '0');
    const { bytes, width, height, pointer, changed } = observation.screen;
    const { marks: onScreen, focus, caret } = observation.onScreen ?? observation;
    const marksText = toJson(onScreen);
    const screen = await this.#once(`${name}.png`, digest(bytes), () => bytes);
    const marks = await this.#once(`${name}-marks.json`, digest(marksText), () => Buffer.from(marksText));
    const annotated = await this.#annotated(name, observation.screen, onScreen, `${screen} ${marks}`);
    const { number, omittedMarks, workbench, title, dialog, unread } = observation;
    const markCount = onScreen.length;
    const seen = { number, focus, caret, workbench, title, markCount, omittedMarks };
    const amiss = { ...(dialog && { dialog }), ...(unread && { unread: [...unread] }) };
    return { ...seen, ...amiss, screen, width, height, pointer, changed, marks, annotated };
  }

  /** Keeps the screen a moment after the last observation; mostly it is unchanged. */
  saveLater(png: Uint8Array): Promise<string> {
    const name = String(this.#next - 1).padStart(4, '0');
    return this.#once(`${name}-later.png`, digest(png), () => png);
  }

  /** Keeps a picture of a tool's answer. */
  async saveImage({ bytes, mime, title }: AnswerPicture): Promise<RecordedImage> {
    const name = `tool-${String(++this.#images).padStart(4, '0')}.${endings[mime]}`;
    const path = await this.#once(name, digest(bytes), () => bytes);
    return { path, mime, title };
  }

  async #annotated(
    name: string,
    screen: Picture,
    marks: readonly Mark[],
    key: string,
  ): Promise<string | null> {
    const annotate = this.#annotate;
    if (annotate === undefined) return null;
    return this.#once(`${name}-marks.png`, key, async () => (await annotate(screen, marks)).bytes);
  }

  async #once(name: string, key: string, make: () => Uint8Array | Promise<Uint8Array>): Promise<string> {
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const path = `${recordFiles.frames}/${name}`;
    await writeAtomic(join(this.#folder, path), await make());
    this.#paths.set(key, path);
    return path;
  }
}

const endings: Readonly<Record<AnswerPicture['mime'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
};

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
