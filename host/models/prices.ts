import * as z from 'zod';
import { PwpError } from '../../bridge/lib/index.ts';
import table from './prices.json' with { type: 'json' };
import type { ModelSource } from './model.ts';
import type { Usage } from './usage.ts';

const dollars = z.number().nonnegative();
const price = z.strictObject({
  vendor: z.string(),
  /** Of the API; a date after it is the same model: `claude-sonnet-4-5-20250929`. */
  name: z.string(),
  input: dollars,
  output: dollars,
  cached: dollars,
  cacheWritten: dollars,
});
const priceTable = z.strictObject({
  unit: z.literal('USD per million tokens'),
  /** By vendor. Only what could be read there is in the table. */
  sources: z.record(z.string(), z.strictObject({ page: z.url(), read: z.iso.date() })),
  models: z.array(price),
});

/** In US dollars for a million tokens. */
export type Price = z.output<typeof price>;

const { models, sources } = priceTable.parse(table);

/** What a model costs, and where and when that was read; null if that is not known. */
export function priceOf(vendor: ModelSource, name: string) {
  const found = models.find((one) => one.vendor === vendor && isNamed(one.name, name));
  const source = sources[vendor];
  return found && source ? { ...found, source } : null;
}

/** Errors: `usage` for a model whose cost can't be known, so that no limit in dollars holds it. */
export function requirePrice({
  vendor,
  name,
}: {
  readonly vendor: ModelSource;
  readonly name: string;
}): void {
  if (vendor === 'scripted' || vendor === 'human' || priceOf(vendor, name)) return;
  throw new PwpError('usage', `the price of ${name} is not known, so a limit in dollars can't be kept`, {
    help: 'Limit tokens or time instead: --max-tokens for an attempt, --budget 2000000tokens 8h for a study.',
  });
}

/** US dollars of a turn; null, never 0, where the price or a count is not known. */
export function costOf(
  price: Omit<Price, 'vendor' | 'name'> | null,
  { input, output, cached, cacheWritten }: Usage,
): number | null {
  if (!price || input === null || output === null) return null;
  // A server that does not count what is cached charges all of it as input.
  const [read, written] = [cached ?? 0, cacheWritten ?? 0];
  const cost =
    (input - read - written) * price.input +
    read * price.cached +
    written * price.cacheWritten +
    output * price.output;
  return cost / 1_000_000;
}

function isNamed(known: string, name: string): boolean {
  if (!name.startsWith(known)) return false;
  return /^(-\d{8}|-\d{4}-\d{2}-\d{2})?$/.test(name.slice(known.length));
}
