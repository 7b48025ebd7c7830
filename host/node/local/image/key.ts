import { languagesIn } from './languages.ts';

interface Keyed {
  readonly name: string;
  readonly key: string;
}

/**
 * The key of these layers. Those of languages come last, by their names, so that a key can say what is missing for it.
 */
export function imageKey(base: Keyed, own: Keyed, between: Keyed | null): string {
  const usual = `${short(base)}-${short(own)}`;
  return between ? `${usual}-${keyPart(between)}` : usual;
}

/** The part of an image's key for its layer of languages. */
export function keyPart(between: Keyed): string {
  return `${languagesIn(between).join('-')}-${short(between)}`;
}

/** The languages of an image, by its key. */
export function languagesOfKey(key: string): readonly string[] {
  const [, names] = /^[0-9a-f]{16}-[0-9a-f]{16}-(.+)-[0-9a-f]{16}$/.exec(key) ?? [];
  return names?.split('-') ?? [];
}

function short({ key }: Keyed): string {
  return key.slice(0, 16);
}
