import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { requirePrice } from '../../../host/run/index.ts';
import { computeCost, priceOf } from '../../../host/run/models/model-prices.ts';
import { type TokenUsage, unknownTokenUsage } from '../../../host/run/models/token-usage.ts';
import { temporaryFolder } from '../../support/folder.ts';

const million: TokenUsage = { ...unknownTokenUsage, input: 1_000_000, output: 1_000_000 };

describe('the price of a model', () => {
  const before = process.env['PWP_PRICES'];
  afterEach(() => {
    if (before === undefined) delete process.env['PWP_PRICES'];
    else process.env['PWP_PRICES'] = before;
  });

  it('is known for each vendor, with its source', () => {
    for (const [vendor, name] of [
      ['anthropic', 'claude-opus-5'],
      ['openai', 'gpt-5.4'],
      ['openai', 'gpt-5.5-2026-06-01'],
      ['gemini', 'gemini-3.5-flash'],
    ] as const) {
      const price = priceOf(vendor, name);
      assert.match(price?.source.page ?? '', /^https:/, name);
      assert.ok((computeCost(price, million) ?? 0) > 0);
    }
    assert.equal(priceOf('openai', 'gpt-5.4-nano')?.input, 0.2);
    assert.equal(priceOf('chat', 'gpt-5.4'), null);
  });

  it('is higher for a request beyond a length, and never negative', () => {
    const price = priceOf('openai', 'gpt-5.4');
    const short = { ...million, input: 272_000, output: 0 };
    assert.equal(computeCost(price, short), (272_000 * 2.5) / 1e6);
    assert.equal(computeCost(price, { ...short, input: 272_001 }), (272_001 * 5) / 1e6);
    assert.equal(
      computeCost(price, { ...short, input: 10, cached: 40, cacheWritten: null }),
      (40 * 0.25) / 1e6,
    );
  });

  it("comes from the user's own file first", async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('prices.json');
    const own = [
      { vendor: 'chat', name: 'qwen3', input: 1, output: 2 },
      { vendor: 'anthropic', name: 'claude-opus-5', input: 7, output: 8, cached: 0.5, cacheWritten: 9 },
    ];
    await writeFile(path, JSON.stringify({ models: own }));
    process.env['PWP_PRICES'] = path;
    assert.equal(computeCost(priceOf('chat', 'qwen3'), { ...million, cached: 500_000 }), 3);
    assert.equal(priceOf('anthropic', 'claude-opus-5')?.input, 7);
    requirePrice({ vendor: 'chat', name: 'qwen3' });
    assert.throws(() => requirePrice({ vendor: 'chat', name: 'qwen4' }), {
      code: 'usage',
      help: /PWP_PRICES/,
    });
  });

  it('is refused if that file is invalid', async () => {
    await using folder = await temporaryFolder();
    for (const [i, text] of ['{', '{"models": [{"vendor": "chat"}]}', '[]'].entries()) {
      const path = folder.file(`${i}.json`);
      await writeFile(path, text);
      process.env['PWP_PRICES'] = path;
      assert.throws(() => priceOf('chat', 'x'), { code: 'usage' });
    }
    process.env['PWP_PRICES'] = folder.file('nowhere.json');
    assert.throws(() => priceOf('chat', 'x'), /can't read the prices/);
  });
});
