import assert from 'node:assert/strict';
import { layOutFlames, PwpError, rankFunctions, readProfile } from '../../../bridge/lib/index.ts';

/** Each function's self and total time. */
function times(text: string): Record<string, readonly [number, number]> {
  return Object.fromEntries(rankFunctions(readProfile(text)).map((one) => [one.name, [one.self, one.total]]));
}

function refused(text: string, why: RegExp): void {
  assert.throws(
    () => readProfile(text),
    (error) => error instanceof PwpError && error.code === 'bad-profile' && why.test(error.message),
  );
}

const call = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber });

describe('folded stacks', () => {
  it('add up, also for the same stack twice', () => {
    assert.deepEqual(times('main;load 3\nmain;load;parse 4\nmain 1\nmain;load 2\n'), {
      main: [1, 10],
      load: [5, 9],
      parse: [4, 4],
    });
  });

  it('count a recursive function once', () => {
    assert.deepEqual(times('f;f;g 2\nf;f 3\nf 1'), { f: [4, 6], g: [2, 2] });
  });

  it('have names with spaces, and locations as py-spy writes them', () => {
    const [one] = rankFunctions(readProfile('a b (x.py:12) 7\r\nb 2'));
    assert.deepEqual(one, { name: 'a b', file: 'x.py', line: 12, self: 7, total: 7, calls: 1 });
  });

  it('say how many lines were not understood', () => {
    assert.equal(readProfile('a;b 1\nhello world\n').skipped, 1);
    refused('hello\nworld', /no line is a stack/);
    refused('  \n', /empty/);
  });

  it("may be deeper than JavaScript's stack", () => {
    const deep = readProfile(`${Array.from({ length: 30_000 }, (_, index) => `f${index}`).join(';')} 5`);
    assert.equal(layOutFlames(deep).at(-1)?.depth, 30_000);
    assert.equal(rankFunctions(deep).length, 30_000);
  });

  it('keep callers and callees, and where bars begin', () => {
    const bars = layOutFlames(readProfile('a;b 1\na;c 2\nd 3')).map(
      ({ frame, depth, start }) => `${frame.name} ${depth} ${start}`,
    );
    assert.deepEqual(bars, ['a 1 0', 'b 2 0', 'c 2 1', 'd 1 3']);
  });
});

describe('.cpuprofile', () => {
  const nodes = [
    { id: 1, callFrame: call('(root)'), children: [2, 4] },
    { id: 2, callFrame: call('main', 'file:///a.js', 9), hitCount: 1, children: [3] },
    { id: 3, callFrame: call(''), hitCount: 2 },
    { id: 4, callFrame: call('(idle)'), hitCount: 1 },
  ];

  it('gives a sample the time until the next', () => {
    const profile = {
      nodes,
      startTime: 0,
      endTime: 11_000,
      samples: [2, 3, 4, 3],
      timeDeltas: [1000, 2000, 3000, 4000],
    };
    assert.deepEqual(times(JSON.stringify(profile)), {
      '(anonymous)': [4, 4],
      '(idle)': [4, 4],
      main: [2, 6],
    });
    assert.equal(readProfile(JSON.stringify(profile)).unit, 'ms');
  });

  it('counts hits if there are no samples, and knows where functions are', () => {
    const profile = readProfile(JSON.stringify({ nodes }));
    assert.equal(profile.unit, 'samples');
    const main = rankFunctions(profile).find(({ name }) => name === 'main');
    assert.deepEqual([main?.file, main?.line, main?.total], ['file:///a.js', 10, 3]);
  });

  it('is refused if its tree is invalid', () => {
    refused('{', /not valid JSON/);
    refused('{"nodes": []}', /nodes/);
    refused(JSON.stringify({ nodes: [{ id: 1, callFrame: call('a'), children: [1] }] }), /outermost/);
    refused(JSON.stringify({ nodes: [{ id: 1, callFrame: call('a'), children: [7] }] }), /names 7/);
    refused(
      JSON.stringify({
        nodes: nodes.slice(0, 1).map((one) => ({ ...one, children: [] })),
        samples: [9],
        timeDeltas: [1],
      }),
      /samples\[0\]/,
    );
  });
});

describe('flame graphs as SVG', () => {
  const bar = (title: string, x: number, y: number, width: number, more = '') =>
    `<g class="f"><title>${title}</title><rect x="${x}" y="${y}" width="${width}" height="15.0"${more}/><text></text></g>`;
  const flames = [
    bar('all (1,000 samples, 100%)', 10, 85, 1000),
    bar('main (900 samples, 90.00%)', 10, 69, 900),
    bar('load&lt;T&gt; (400 samples, 40.00%)', 10, 53, 400),
    bar('save (500 samples, 50.00%)', 410, 53, 500),
  ];

  it('are read by which bar rests on which, upwards and downwards', () => {
    const expected = { main: [0, 900], 'load<T>': [400, 400], save: [500, 500] };
    assert.deepEqual(times(`<?xml version="1.0"?><svg>${flames.join('')}</svg>`), expected);
    const icicles = flames.map((one) => one.replace(/y="(\d+)"/, (_, y: string) => `y="${100 - Number(y)}"`));
    assert.deepEqual(times(`<svg>${icicles.join('')}</svg>`), expected);
    assert.equal(readProfile(`<svg>${flames.join('')}</svg>`).root.self, 100);
  });

  it('are read with the attributes of inferno, which has widths in percent', () => {
    const svg = [
      '<g><title>all (10 samples, 100%)</title><rect x="0.0000%" y="36" width="100.0000%" height="15" fg:x="0" fg:w="10"/></g>',
      '<g><title>run (a.py:3) (10 samples, 100.00%)</title><rect x="0.0000%" y="52" width="100.0000%" height="15" fg:x="0" fg:w="10"/></g>',
      '<g><title>step (a.py:9) (4 samples, 40.00%)</title><rect x="0.0000%" y="68" width="40.0000%" height="15" fg:x="0" fg:w="4"/></g>',
    ].join('\n');
    assert.deepEqual(times(`<svg>${svg}</svg>`), { run: [6, 10], step: [4, 4] });
  });

  it('are distinguished from other pictures', () => refused('<svg><rect x="1"/></svg>', /no bars/));
});
