import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { MakeVariant, WireVariant } from './make-variant.ts';
import { makeGitRepository, makeLocalHistory, Random } from './variant-tools.ts';

/**
 * Runs a task's variant.mjs in a sandbox of its own: `variant.mjs <file> <seed> <answer>`. The answer is a file with the
 * variant as JSON.
 */
async function main([file = '', seedText = '', answer = '']: readonly string[]): Promise<void> {
  Math.random = () => {
    throw new Error('Math.random differs each time: use the random that is given');
  };
  console.log = console.error;
  const seed = Number(seedText);
  const { default: make } = (await import(pathToFileURL(file).href)) as { default?: MakeVariant };
  if (typeof make !== 'function') throw new Error('expected a function as its default export');
  const { files = {}, words = {} } = await make({
    seed,
    random: new Random(seed),
    gitRepository: makeGitRepository,
    localHistory: makeLocalHistory,
  });
  const wire: WireVariant = { files: mapValues(files, encodeBase64), words: mapValues(words, String) };
  writeFileSync(answer, JSON.stringify(wire));
}

function encodeBase64(content: string | Uint8Array): string {
  return Buffer.from(content as Uint8Array).toString('base64');
}

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

await main(process.argv.slice(2));
