import assert from 'node:assert/strict';
import { graderSays } from '../../support/datasets.ts';

/** Answers of sizes at which an algorithm of quadratic time would not end. */
describe('graders of datasets, on answers designed to be slow', () => {
  it('read an answer of DSBench of many digits, letters, spaces and brackets', async () => {
    const hostile = ['"9" * 200000', '"1." * 200000', '"(" * 200000', '" " * 200000 + "x"', '"e+" * 200000'];
    for (const expected of ['5', '"D"', '"the word"', '{"a": 1}'])
      assert.deepEqual(
        await graderSays(
          'dsbench',
          `from answers import same\nshow([same(text, ${expected}) for text in (${hostile.join(', ')})])`,
        ),
        hostile.map(() => false),
      );
  });

  it('read predictions with as many labels as rows', async () => {
    const code = `from metrics import METRICS
rows = [str(at) for at in range(300000)]
show([METRICS["f1-macro"](["0"] * 300000, rows), METRICS["f1-macro"](["0", "1", "1"], ["0", "1", "0"])])`;
    const [many = 1, few] = (await graderSays('dsbench', code)) as number[];
    assert.ok(many < 1e-9);
    assert.ok(Math.abs((few ?? 0) - 2 / 3) < 1e-9, String(few));
  });

  it('read numbers of millions of digits as numbers, or refuse them', async () => {
    const code = `from metrics import METRICS
def tried(act):
    try:
        return act()
    except (ValueError, OverflowError) as error:
        return type(error).__name__
show([tried(lambda: METRICS[name](["1", "2"], ["9" * 5000000, "1"])) for name in ("rmse", "roc-auc", "quadratic-kappa")])`;
    assert.deepEqual(await graderSays('dsbench', code), ['ValueError', 'ValueError', 'ValueError']);
  });
});
