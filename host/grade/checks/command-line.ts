/** The words of a launch configuration's `args`: a list of strings, or one string; undefined for anything else. */
export function wordsOf(args: unknown): string[] | undefined {
  if (args === undefined || args === null) return [];
  if (typeof args === 'string') return args.split(/\s+/).filter((word) => word !== '');
  if (!Array.isArray(args)) return undefined;
  const words = args as unknown[];
  return words.every((word) => typeof word === 'string') ? words : undefined;
}

/**
 * The value of a flag, in any of the forms `--port 5000`, `--port=5000`, `-p 5000`, `-p5000`; the last one counts.
 * @param flags the flag's names, long ones with two dashes
 */
export function flagValue(words: readonly string[], flags: readonly string[]): string | undefined {
  let value: string | undefined;
  words.forEach((word, index) => {
    for (const flag of flags) {
      if (word === flag) value = words[index + 1];
      else if (flag.startsWith('--') && word.startsWith(`${flag}=`)) value = word.slice(flag.length + 1);
      else if (!flag.startsWith('--') && !word.startsWith('--') && word.startsWith(flag))
        value = word.slice(flag.length);
    }
  });
  return value;
}
