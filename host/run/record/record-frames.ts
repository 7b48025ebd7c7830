import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Mark } from '../../../bridge/protocol/index.ts';
import { clip, toJson } from '../../../bridge/text/index.ts';
import type { Action, ActionOutcome, AnswerPicture, Observation } from '../../ide/index.ts';
import type { Picture } from '../../node/index.ts';
import { recordFiles, writeAtomic } from './record-folder.ts';
import { readChangedFiles, type RecordedImage, type RecordedOutcome } from './recorded-actions.ts';
import type { RecordedObservation } from './recorded-state.ts';

/** Draws marks on a screenshot, as a PNG. */
export type AnnotateScreen = (screen: Picture, marks: readonly Mark[]) => Promise<Picture>;

/** The files in `frames/`: the same content is kept once. */
export class FrameStore {
  readonly #folder: string;
  readonly #annotate: AnnotateScreen | undefined;
  readonly #paths = new Map<string, string>();
  #next = 0;
  #images = 0;

  constructor(folder: string, annotate: AnnotateScreen | undefined) {
    this.#folder = folder;
    this.#annotate = annotate;
  }

  /** Keeps the pictures and marks of one observation; the first is number 0. */
  async save(observation: Observation): Promise<RecordedObservation> {
    const name = String(this.#next++).padStart(4, '0');
    const { bytes, width, height, pointer, changed } = observation.screen;
    const { marks: onScreen, focus, caret } = observation.onScreen ?? observation;
    const marksText = toJson(onScreen);
    const screen = await this.#once(`${name}.png`, digestContent(bytes), () => bytes);
    const marks = await this.#once(`${name}-marks.json`, digestContent(marksText), () =>
      Buffer.from(marksText),
    );
    const annotated = await this.#annotated(name, observation.screen, onScreen, `${screen} ${marks}`);
    const { number, omittedMarks, workbench, title, dialog, unread } = observation;
    const markCount = onScreen.length;
    const seen = { number, focus, caret, workbench, title, markCount, omittedMarks };
    const amiss = { dialog, unread: unread && [...unread] };
    return { ...seen, ...amiss, screen, width, height, pointer, changed, marks, annotated };
  }

  /** Keeps the screen a moment after the last observation; mostly it is unchanged. */
  saveLater(png: Uint8Array): Promise<string> {
    const name = String(this.#next - 1).padStart(4, '0');
    return this.#once(`${name}-later.png`, digestContent(png), () => png);
  }

  /** Keeps a picture of a tool's answer. */
  async saveImage({ bytes, mime, title }: AnswerPicture): Promise<RecordedImage> {
    const name = `tool-${String(++this.#images).padStart(4, '0')}.${fileEndings[mime]}`;
    const path = await this.#once(name, digestContent(bytes), () => bytes);
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

const fileEndings: Readonly<Record<AnswerPicture['mime'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
};

function digestContent(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The maximum of one answer, and of one call's arguments as JSON before long texts are cut; in UTF-16 code units. */
const outcomeLengths = { output: 200_000, arguments: 500_000, text: 20_000 };

/**
 * The recorded part of an outcome: its answer as text (of the structured one, which says the same, only the changed
 * files) and its pictures as files, both bounded.
 */
export async function keepOutcome(outcome: ActionOutcome, frames: FrameStore): Promise<RecordedOutcome> {
  const { action, effect, evidence, output, typed, result, images = [], untried, suppressed } = outcome;
  const changed = readChangedFiles(result);
  const kept = await Promise.all(images.map((image) => frames.saveImage(image)));
  return {
    action: keepAction(action),
    effect,
    evidence: cutText(evidence, outcomeLengths.text),
    output: output === undefined ? undefined : cutText(output, outcomeLengths.output),
    ...{ changed, typed, untried, suppressed },
    images: kept.length > 0 ? kept : undefined,
  };
}

/** An action with the arguments of a tool bounded. */
export function keepAction(action: Action): Action {
  if (action.kind !== 'tool' || JSON.stringify(action.arguments).length <= outcomeLengths.arguments)
    return action;
  return { ...action, arguments: shortenTexts(action.arguments) as Record<string, unknown> };
}

function shortenTexts(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, outcomeLengths.text);
  if (Array.isArray(value)) return value.map(shortenTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortenTexts(one)]));
}

function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${clip(text, max)}… (${text.length - max} characters left out)`;
}
