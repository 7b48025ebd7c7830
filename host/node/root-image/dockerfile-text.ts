import { createHash } from 'node:crypto';
import { PwpError } from '../../../bridge/lib/index.ts';

/** A Dockerfile without heredocs, and the files that stand for them. */
export interface PlainDockerfile {
  readonly text: string;
  /** By the path below the context {@link heredocContext}. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether one of them is run, and not copied. */
  readonly isProgram: (path: string) => boolean;
}

/** The name of the context that has the files of heredocs. */
export const heredocContext = 'pwp-heredocs';

/** Where the file is during a step. */
const scriptPath = '/run/pwp-heredoc';
/** No heredoc can have this name. */
const commandFile = '.run';
const markerPattern = /(?<=^|\s)\d*<<(-?)(["']?)([A-Za-z_][\w.]*)\2(?=$|[\s;|)>&])/g;
const instructionPattern = /^\s*(RUN|COPY|ADD)\s+((?:--\S+\s+)*)([\s\S]*)$/i;

interface Heredoc {
  readonly name: string;
  readonly quoted: boolean;
  /** As a builder reads it. */
  readonly body: string;
  /** As a shell reads it, with its last line. */
  readonly lines: readonly string[];
}

/**
 * Replaces heredocs, which Debian 12's buildah takes for instructions, by files: a step that runs commands gets them as a
 * script for its own shell, and one that copies gets them as sources. The names of the files change with their content, so
 * that a step is built again when it does. Errors: `image-build-failed` for what can't be replaced.
 * @param file for messages
 */
export function replaceHeredocs(file: string, text: string): PlainDockerfile {
  const lines = text.split('\n');
  const files = new Map<string, string>();
  const result: string[] = [];
  for (let at = 0; at < lines.length;) {
    const begin = at;
    const whole = [lines[at++] ?? ''];
    while (/\\\s*$/.test(whole.at(-1) ?? '') && at < lines.length && instructionPattern.test(whole[0] ?? ''))
      whole.push(lines[at++] ?? '');
    const instruction = instructionPattern.exec(whole.join('\n'));
    const markers = instruction ? [...(instruction[3] ?? '').matchAll(markerPattern)] : [];
    if (!instruction || markers.length === 0) {
      result.push(...whole);
      continue;
    }
    const heredocs: Heredoc[] = [];
    for (const [, dash = '', quote = '', name = ''] of markers) {
      const heredoc = readHeredoc(lines, at, name, { tabs: dash !== '', quoted: quote !== '' });
      if (!heredoc) throw explainHeredoc(file, begin, `has no line ${name} at its end`);
      heredocs.push(heredoc);
      at += heredoc.lines.length;
    }
    const [, word = '', flags = '', rest = ''] = instruction;
    if (word.toUpperCase() === 'RUN') result.push(replaceRun(flags, rest, heredocs, files));
    else result.push(...replaceCopy(flags, rest, heredocs, files, (why) => explainHeredoc(file, begin, why)));
  }
  return { text: result.join('\n'), files, isProgram: (path) => path.endsWith(`/${commandFile}`) };
}

/** Null if it does not end. */
function readHeredoc(
  lines: readonly string[],
  from: number,
  name: string,
  { tabs, quoted }: { readonly tabs: boolean; readonly quoted: boolean },
): Heredoc | null {
  const strip = (line: string) => (tabs ? line.replace(/^\t+/, '') : line);
  const length = lines.slice(from).findIndex((line) => strip(line) === name);
  if (length < 0) return null;
  const body = lines.slice(from, from + length).map((line) => `${strip(line)}\n`);
  return { name, quoted, body: body.join(''), lines: lines.slice(from, from + length + 1) };
}

function replaceRun(
  flags: string,
  rest: string,
  heredocs: readonly Heredoc[],
  files: Map<string, string>,
): string {
  const [first] = heredocs;
  const alone = first !== undefined && rest.trim().replace(markerPattern, '') === '';
  const script = alone ? first.body : [rest, ...heredocs.flatMap(({ lines }) => lines), ''].join('\n');
  const source = addFile(files, commandFile, script);
  const mount = `--mount=type=bind,from=${heredocContext},source=/${source},target=${scriptPath}`;
  // With its own interpreter it is a program, else lines of the shell that the step has.
  return `RUN ${flags}${mount} ${alone && script.startsWith('#!') ? '' : '. '}${scriptPath}`;
}

function replaceCopy(
  flags: string,
  rest: string,
  heredocs: readonly Heredoc[],
  files: Map<string, string>,
  explain: (why: string) => PwpError,
): string[] {
  const words = rest.replace(markerPattern, '').trim().split(/\s+/);
  const target = words.pop() ?? '';
  const expanded = heredocs.find(({ quoted, body }) => !quoted && body.includes('$'));
  if (expanded)
    throw explain(
      `has variables, which buildah does not replace: write <<"${expanded.name}" if they are text`,
    );
  const sources = heredocs.map(({ name, body }) => `/${addFile(files, name, body)}`);
  return [
    ...(words.length > 0 ? [`COPY ${flags}${words.join(' ')} ${target}`] : []),
    `COPY --from=${heredocContext} ${flags}${sources.join(' ')} ${target}`,
  ];
}

function addFile(files: Map<string, string>, name: string, content: string): string {
  const path = `${createHash('sha256').update(content).digest('hex').slice(0, 16)}/${name}`;
  files.set(path, content);
  return path;
}

function explainHeredoc(file: string, line: number, why: string): PwpError {
  return new PwpError('image-build-failed', `${file}:${line + 1}: the heredoc ${why}`, {
    help: 'Or build it with Docker (docker build -t NAME .) and use engine:NAME.',
  });
}

/** The images that a Dockerfile begins with, as it names them; those whose name only an argument tells are left out. */
export function listBaseImages(text: string): string[] {
  const stages = new Set(['scratch']);
  const values = new Map<string, string>();
  const bases: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*ARG\s+(\w+)=["']?([^"'\s]*)/i.exec(line) ?? [];
    if (name !== undefined && bases.length === 0) values.set(name, value ?? '');
    const [, from, stage] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? [];
    if (from === undefined) continue;
    const base = from.replace(/\$\{?(\w+)\}?/g, (whole, variable: string) => values.get(variable) ?? whole);
    if (!stages.has(base.toLowerCase()) && !base.includes('$')) bases.push(base);
    if (stage !== undefined) stages.add(stage.toLowerCase());
  }
  return [...new Set(bases)];
}
