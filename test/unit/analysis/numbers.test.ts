import assert from 'node:assert/strict';
import {
  computeMean,
  computeSampleDeviation,
  computeVariance,
} from '../../../host/read/analysis/statistics.ts';
import { bootstrap, mcnemar, passAtK, wilson } from '../../../host/read/index.ts';
import { rounded } from '../../support/attempt-row.ts';

describe('the numbers of an analysis', () => {
  it('pass@k: of n = 5, c = 2, pass@1 = 2/5, pass@2 = 1 − C(3,2)/C(5,2) = 1 − 3/10, pass@4 = 1', () => {
    const all = [1, 2, 3, 4, 5].map((k) => rounded(passAtK(5, 2, k)));
    assert.deepEqual(all, [0.4, 0.7, 0.9, 1, 1]);
    assert.equal(passAtK(5, 0, 5), 0);
    assert.equal(passAtK(3, 1, 4), null);
  });

  it('pass@k of many attempts is as by its product: n = 200, c = 3, k = 100', () => {
    // 1 − C(197,100)/C(200,100) = 1 − (100·99·98)/(200·199·198) = 1 − 970200/7880400
    assert.equal(rounded(passAtK(200, 3, 100)), rounded(1 - 970200 / 7880400));
  });

  it('Wilson: p = 0.5, n = 80: centre 0.5, half-width 1.96·√(0.25/80 + 3.8416/25600)/1.04802 = 0.107028', () => {
    const { value, low, high } = wilson(0.5, 80);
    assert.deepEqual([value, rounded(low, 5), rounded(high, 5)], [0.5, 0.39297, 0.60703]);
  });

  it('Wilson: p = 0, n = 10: from 0 to 3.8416/13.8416; p = 1: from 10/13.8416 to 1', () => {
    assert.deepEqual([wilson(0, 10).low, rounded(wilson(0, 10).high)], [0, rounded(3.8416 / 13.8416)]);
    assert.deepEqual([rounded(wilson(1, 10).low), wilson(1, 10).high], [rounded(10 / 13.8416), 1]);
  });

  it('McNemar: 2 and 8 of 10 pairs: 2·(1 + 10 + 45)/1024; none: 1; 5 and 5: 1', () => {
    assert.equal(rounded(mcnemar(2, 8)), rounded((2 * 56) / 1024));
    assert.equal(mcnemar(0, 0), 1);
    assert.equal(mcnemar(5, 5), 1);
  });

  it('McNemar: 2,000 pairs, half each give 1, and all of one kind give 0', () => {
    assert.equal(mcnemar(1000, 1000), 1);
    assert.equal(mcnemar(0, 2000), 0);
  });

  it('moments: of 2, 4, 6 the mean is 4, the variance (4 + 0 + 4)/2, the deviation 2', () => {
    assert.deepEqual(
      [computeMean([2, 4, 6]), computeVariance([2, 4, 6]), computeSampleDeviation([2, 4, 6])],
      [4, 4, 2],
    );
    assert.deepEqual(
      [computeMean([]), computeVariance([1]), computeSampleDeviation([1])],
      [null, null, null],
    );
  });

  it('bootstrap: the mean of the groups’ means, the same for the same seed', () => {
    const groups = [[0, 1, 1, 0], [1, 1, 1, 0, 0, 0, 1, 1], []];
    const interval = bootstrap(groups, { seed: 7, resamples: 500 });
    assert.ok(interval);
    // (2/4 + 5/8) / 2
    assert.equal(interval.value, 0.5625);
    assert.ok(interval.low < interval.value && interval.value < interval.high);
    assert.deepEqual(bootstrap(groups, { seed: 7, resamples: 500 }), interval);
    assert.notDeepEqual(bootstrap(groups, { seed: 8, resamples: 500 }), interval);
  });

  it('bootstrap: of 400 coins its interval is that of the normal distribution, 0.5 ± 1.96·√(0.25/400), within 0.01', () => {
    const coins = Array.from({ length: 400 }, (_, i) => i % 2);
    const interval = bootstrap([coins]);
    assert.ok(interval);
    assert.ok(Math.abs(interval.low - 0.451) < 0.01 && Math.abs(interval.high - 0.549) < 0.01);
  });

  it('bootstrap: no values have no interval, and constant values have one of width 0', () => {
    assert.equal(bootstrap([[], []]), null);
    assert.deepEqual(bootstrap([[1, 1, 1]]), { value: 1, low: 1, high: 1 });
  });
});
