import { shorten } from '../../../bridge/lib/index.ts';
/** About two lines of a terminal, in characters. */
const most = { evidence: 240, part: 160 } as const;

/** Parts of an evidence, each once, as one text of at most two lines; says how many parts found no room. */
export function joined(parts: readonly string[]): string {
  let text = '';
  const all = [...new Set(parts)];
  for (const [i, part] of all.entries()) {
    const room = all.length === 1 ? most.evidence : most.part;
    const next = clipped(part.replaceAll(/\s+/gu, ' '), room);
    const longer = i === 0 ? next : `${text}; ${next}`;
    if (longer.length > most.evidence) return `${text}; and ${all.length - i} more`;
    text = longer;
  }
  return text;
}

/** A name or a value in quotes, shortened. */
export function quoted(text: string, longest = 60): string {
  return JSON.stringify(clipped(text, longest));
}

export function clipped(text: string, longest: number): string {
  return shorten(text, longest);
}

/** The last part of a URI's path, as a person would call the file. */
export function fileName(uri: string): string {
  const path = uri.split('/').at(-1) ?? uri;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
