import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import table from './prices.json' with { type: 'json' };
import type { ModelSource } from './model.ts';
import type { Usage } from './usage.ts';

const dollars = z.number().nonnegative();
const rates = { input: dollars, output: dollars, cached: dollars, cacheWritten: dollars };
const price = z.strictObject({
  vendor: z.string(),
  /** Its name in the API; with a date after it, it is the same model: `claude-sonnet-4-5-20250929`. */
  name: z.string(),
  /** Where it was read, of {@link priceTable}'s sources. Default: its vendor's. */
  source: z.string().optional(),
  ...rates,
  /** Rates for all tokens of a request with more than `above`. */
  long: z.strictObject({ above: z.int().positive(), ...rates }).optional(),
});
const priceTable = z.strictObject({
  unit: z.literal('USD per million tokens'),
  /** By vendor. Only what could be read there is in the table. */
  sources: z.record(z.string(), z.strictObject({ page: z.url(), read: z.iso.date() })),
  models: z.array(price),
});

/** A file of the user's own. By default, tokens read from or written to a cache cost as much as other input. */
const ownTable = z.strictObject({
  models: z
    .array(price.omit({ source: true }).partial({ cached: true, cacheWritten: true }))
    .max(10_000)
    .describe('in US dollars for a million tokens'),
});

/** In US dollars for a million tokens. */
export type Price = z.output<typeof price>;

interface SourcedPrice extends Omit<Price, 'source'> {
  readonly source: { readonly page: string; readonly read: string };
}

const { models, sources } = priceTable.parse(table);

/**
 * The price of a model, and where and when it was read; null if it is not known. The file that `PWP_PRICES` names
 * comes first. Errors: `usage` for a file that can't be read.
 */
export function priceOf(vendor: ModelSource, name: string): SourcedPrice | null {
  const own = ownPrices(process.env['PWP_PRICES'] ?? '').find((one) => isOf(one, vendor, name));
  if (own) return own;
  const found = models.find((one) => isOf(one, vendor, name));
  const source = found && sources[found.source ?? found.vendor];
  return found && source ? { ...found, source } : null;
}

const read = new Map<string, readonly SourcedPrice[]>();

/** Read once: what a run costs does not change in its middle. */
function ownPrices(path: string): readonly SourcedPrice[] {
  if (path === '') return [];
  const found = read.get(path) ?? readPrices(path);
  read.set(path, found);
  return found;
}

function readPrices(path: string): SourcedPrice[] {
  const source = { page: pathToFileURL(path).href, read: new Date().toISOString().slice(0, 10) };
  try {
    const { models: own } = ownTable.parse(JSON.parse(readFileSync(path, 'utf8')));
    return own.map((one) => ({ ...one, ...inputUnless(one), source }));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new PwpError('usage', `can't read the prices of ${path}: ${why}`, {
      cause,
      help: 'For example {"models": [{"vendor": "chat", "name": "qwen3", "input": 0.5, "output": 1.5}]}',
    });
  }
}

function inputUnless({
  input,
  cached = input,
  cacheWritten = input,
}: z.output<typeof ownTable>['models'][number]) {
  return { cached, cacheWritten };
}

/** Errors: `usage` for a model whose cost can't be known: no limit in dollars could hold. */
export function requirePrice({
  vendor,
  name,
}: {
  readonly vendor: ModelSource;
  readonly name: string;
}): void {
  if (vendor === 'scripted' || vendor === 'human' || priceOf(vendor, name)) return;
  throw new PwpError('usage', `the price of ${name} is not known, so a limit in dollars can't be kept`, {
    help: 'Give its price in a file that PWP_PRICES names, or limit tokens or time: --max-tokens for an attempt, --budget 2000000tokens 8h for a study.',
  });
}

/** US dollars of a turn; null, never 0, where the price or a count is not known. */
export function costOf(
  price: Omit<Price, 'vendor' | 'name' | 'source'> | null,
  { input, output, cached, cacheWritten }: Usage,
): number | null {
  if (!price || input === null || output === null) return null;
  // A server that does not count what is cached charges all of it as input.
  const [found, written] = [cached ?? 0, cacheWritten ?? 0];
  const rate = price.long && input > price.long.above ? price.long : price;
  const cost =
    Math.max(0, input - found - written) * rate.input +
    found * rate.cached +
    written * rate.cacheWritten +
    output * rate.output;
  return cost / 1_000_000;
}

function isOf(one: Pick<Price, 'vendor' | 'name'>, vendor: ModelSource, name: string): boolean {
  return one.vendor === vendor && isNamed(one.name, name);
}

function isNamed(known: string, name: string): boolean {
  if (!name.startsWith(known)) return false;
  return /^(-\d{8}|-\d{4}-\d{2}-\d{2})?$/.test(name.slice(known.length));
}
