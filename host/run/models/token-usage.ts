/** Tokens of a turn. Null: the server did not say. */
export interface TokenUsage {
  /** All that went in, what came from the cache or was written to it included. */
  readonly input: number | null;
  /** All that came out, thinking included. */
  readonly output: number | null;
  /** The part of `input` that was read from the cache. */
  readonly cached: number | null;
  /** The part of `input` that was written to the cache. */
  readonly cacheWritten: number | null;
  /** The part of `output` that is thinking. */
  readonly thinking: number | null;
}

export const unknownTokenUsage: TokenUsage = {
  input: null,
  output: null,
  cached: null,
  cacheWritten: null,
  thinking: null,
};

type UncheckedCounts = Readonly<Record<keyof TokenUsage, unknown>>;

/** A server's counts. A value that is not a count, or larger than the total that it is a part of, is unknown. */
export function readTokenUsage(counts: UncheckedCounts): TokenUsage {
  const [input, output] = [readTokenCount(counts.input), readTokenCount(counts.output)];
  const [cached, cacheWritten] = [readTokenCount(counts.cached), readTokenCount(counts.cacheWritten)];
  const isPart = input !== null && (cached ?? 0) + (cacheWritten ?? 0) <= input;
  const thinking = readTokenCount(counts.thinking);
  return {
    ...{ input, output },
    ...(isPart ? { cached, cacheWritten } : { cached: null, cacheWritten: null }),
    thinking: output !== null && thinking !== null && thinking <= output ? thinking : null,
  };
}

/** Null where it is not a count of tokens. */
export function readTokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** The sum of them all; null where one of them is unknown. */
export function addTokenUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum = (key: keyof TokenUsage) => {
    const [a, b] = [one[key], other[key]];
    return a === null || b === null ? null : a + b;
  };
  return {
    ...{ input: sum('input'), output: sum('output'), cached: sum('cached') },
    ...{ cacheWritten: sum('cacheWritten'), thinking: sum('thinking') },
  };
}

/**
 * Finds the counts of an answer that was not checked yet: null where nothing was counted.
 * @param field of the answer that has them
 */
export function makeUsageFinder(
  readCounts: (usage: unknown) => TokenUsage,
  field = 'usage',
): (answer: unknown) => TokenUsage | null {
  return (answer) => {
    const usage = readCounts(readObjectFields(answer)[field]);
    return usage.input === null && usage.output === null ? null : usage;
  };
}

/** An object of an answer that was not checked yet. */
export function readObjectFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** The same without the fields that are null: APIs answer null where they take back only a value. */
export function dropNulls<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as T;
}

/** A list of an answer that was not checked yet. */
export function readArrayItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
