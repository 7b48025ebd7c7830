import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import type { ModelSource } from './model.ts';
import table from './prices.json' with { type: 'json' };
import type { TokenUsage } from './token-usage.ts';

const dollarRate = z.number().nonnegative();
const priceRates = { input: dollarRate, output: dollarRate, cached: dollarRate, cacheWritten: dollarRate };
const tablePrice = z.strictObject({
  vendor: z.string(),
  /** Its name in the API; with a date after it, it is the same model: `claude-sonnet-4-5-20250929`. */
  name: z.string(),
  /** Where it was read, of {@link priceTable}'s sources. Default: its vendor's. */
  source: z.string().optional(),
  ...priceRates,
  /** Rates for all tokens of a request with more than `above`. */
  long: z.strictObject({ above: z.int().positive(), ...priceRates }).optional(),
});
const priceTable = z.strictObject({
  unit: z.literal('USD per million tokens'),
  /** By vendor. Only what could be read there is in the table. */
  sources: z.record(z.string(), z.strictObject({ page: z.url(), read: z.iso.date() })),
  models: z.array(tablePrice),
});

/** A file of the user's own. By default, tokens read from or written to a cache cost as much as other input. */
const ownPriceTable = z.strictObject({
  models: z
    .array(tablePrice.omit({ source: true }).partial({ cached: true, cacheWritten: true }))
    .max(10_000)
    .describe('in US dollars for a million tokens'),
});

/** In US dollars for a million tokens. */
type ModelPrice = z.output<typeof tablePrice>;

interface SourcedPrice extends Omit<ModelPrice, 'source'> {
  readonly source: { readonly page: string; readonly read: string };
}

const { models, sources } = priceTable.parse(table);

/**
 * The price of a model, and where and when it was read; null if it is not known. The file that `PWP_PRICES` names
 * comes first. Errors: `usage` for a file that can't be read.
 */
export function priceOf(vendor: ModelSource, name: string): SourcedPrice | null {
  const own = ownPrices(process.env['PWP_PRICES'] ?? '').find((one) => isPriceFor(one, vendor, name));
  if (own) return own;
  const found = models.find((one) => isPriceFor(one, vendor, name));
  const source = found && sources[found.source ?? found.vendor];
  return found && source ? { ...found, source } : null;
}

const readOwnPrices = new Map<string, readonly SourcedPrice[]>();

/** Read once: what a run costs does not change in its middle. */
function ownPrices(path: string): readonly SourcedPrice[] {
  if (path === '') return [];
  const found = readOwnPrices.get(path) ?? readPrices(path);
  readOwnPrices.set(path, found);
  return found;
}

function readPrices(path: string): SourcedPrice[] {
  const source = { page: pathToFileURL(path).href, read: new Date().toISOString().slice(0, 10) };
  try {
    const { models: own } = ownPriceTable.parse(JSON.parse(readFileSync(path, 'utf8')));
    return own.map((one) => ({ ...one, ...defaultToInput(one), source }));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : describeError(cause);
    throw new PwpError('usage', `can't read the prices of ${path}: ${why}`, {
      cause,
      help: 'For example {"models": [{"vendor": "chat", "name": "qwen3", "input": 0.5, "output": 1.5}]}',
    });
  }
}

function defaultToInput({
  input,
  cached = input,
  cacheWritten = input,
}: z.output<typeof ownPriceTable>['models'][number]) {
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
  if (vendor === 'scripted' || priceOf(vendor, name)) return;
  throw new PwpError('usage', `the price of ${name} is not known, so a limit in dollars can't be kept`, {
    help: 'Give its price in a file that PWP_PRICES names, or limit tokens or time: --max-tokens for an attempt, --budget 2000000tokens 8h for a study.',
  });
}

/** US dollars of a turn; null, never 0, where the price or a count is not known. */
export function computeCost(
  price: Omit<ModelPrice, 'vendor' | 'name' | 'source'> | null,
  { input, output, cached, cacheWritten }: TokenUsage,
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

function isPriceFor(one: Pick<ModelPrice, 'vendor' | 'name'>, vendor: ModelSource, name: string): boolean {
  return one.vendor === vendor && isModelName(one.name, name);
}

function isModelName(known: string, name: string): boolean {
  if (!name.startsWith(known)) return false;
  return /^(-\d{8}|-\d{4}-\d{2}-\d{2})?$/.test(name.slice(known.length));
}
