import { git } from './git.ts';

/** Settings of a repository as Git reads them, in their order: `remote.origin.url`, and a value. */
export type GitSettings = readonly (readonly [key: string, value: string])[];

/** Settings that define the repository, and how its files are read and written. None names a program or a file. */
const kept = [
  /^core\.(repositoryformatversion|filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(autocrlf|eol|safecrlf|whitespace|quotepath|abbrev|sparsecheckout|sparsecheckoutcone)$/,
  /^extensions\.(objectformat|partialclone|preciousobjects)$/,
  /^index\.(version|sparse)$/,
  /^remote\..+\.(url|pushurl|fetch|promisor|partialclonefilter|tagopt)$/s,
  /^branch\..+\.(remote|merge|rebase)$/s,
  /^submodule\.(.+\.)?(url|active|branch|recurse)$/s,
  /^user\.(name|email)$/,
];

/** The settings of one file alone; undefined where Git is missing or does not read it. */
export async function readGitSettings(file: string): Promise<GitSettings | undefined> {
  const listed = await git('/', ['config', '--file', file, '--no-includes', '--null', '--list']);
  return listed
    ?.split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const end = line.indexOf('\n');
      return end < 0 ? ([line, 'true'] as const) : ([line.slice(0, end), line.slice(end + 1)] as const);
    });
}

/** The value that counts. */
export function settingOf(settings: GitSettings, key: string): string | undefined {
  return settings.findLast(([name]) => name === key)?.[1];
}

/**
 * A configuration for a copy of the repository somewhere else: without programs, further files, other places of this
 * machine, and passwords.
 */
export function plainConfig(settings: GitSettings): string {
  const chosen = settings.flatMap(([key, value]) => {
    const plain = kept.some((each) => each.test(key)) ? plainValue(key, value) : undefined;
    return plain === undefined ? [] : [line(key, plain)];
  });
  return [...chosen, line('core.bare', 'false')].join('');
}

/** Undefined for an address that is a program's. */
function plainValue(key: string, value: string): string | undefined {
  if (!/url$/.test(key)) return value;
  if (value.includes('::')) return undefined;
  return value.replace(/^(https?:\/\/)[^/]*@/i, '$1').replace(/^([a-z+]+:\/\/[^/@:]*):[^/@]*@/i, '$1@');
}

function line(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const part = key.slice(first + 1, Math.max(first + 1, last));
  const section = part === '' ? key.slice(0, first) : `${key.slice(0, first)} ${quoted(part)}`;
  return `[${section}]\n\t${key.slice(last + 1)} = ${quoted(value).replaceAll('\n', '\\n')}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
