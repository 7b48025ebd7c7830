/** One instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  /** Upper case, e.g. `RUN`; empty for a line that is not an instruction. */
  readonly word: string;
  readonly rest: string;
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Documents that follow `<<NAME`, by their name. */
  readonly documents: Readonly<Record<string, string>>;
}

/** The instructions of a Dockerfile. Comments are left out, lines that end in a backslash are joined. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const found: Instruction[] = [];
  let at = 0;
  while (at < lines.length) {
    let start = at;
    let whole = '';
    for (let open = true; open && at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      if (/^\s*#/.test(line) || (whole !== '' && line.trim() === '')) continue;
      if (whole === '') start = at;
      open = /\\\s*$/.test(line);
      whole += open ? line.replace(/\\\s*$/, ' ') : line;
    }
    const [, word, rest] = /^\s*([A-Za-z]+)\s+([\s\S]*\S)\s*$/.exec(whole) ?? [];
    if (word === undefined || rest === undefined) {
      if (whole.trim() !== '') found.push({ word: '', rest: whole.trim(), line: start + 1, documents: {} });
      continue;
    }
    const documents: Record<string, string> = {};
    for (const [, , name = ''] of rest.matchAll(/<<-?(["']?)([A-Za-z_]\w*)\1/g)) {
      const end = lines.findIndex((line, index) => index >= at && line.trim() === name);
      if (end < 0) break;
      documents[name] = lines
        .slice(at, end)
        .map((line) => `${line}\n`)
        .join('');
      at = end + 1;
    }
    found.push({ word: word.toUpperCase(), rest, line: start + 1, documents });
  }
  return found;
}

/** The words of an instruction in its JSON form; undefined for its shell form, which is all else, as for Docker. */
export function jsonWords(rest: string): string[] | undefined {
  try {
    const words: unknown = JSON.parse(rest);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}
