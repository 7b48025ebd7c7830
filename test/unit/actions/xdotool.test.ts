import assert from 'node:assert/strict';
import { inputOf } from '../../../bench/lib/xdotool.ts';
import { PwpError } from '../../../bridge/lib/index.ts';
import { actionText, parseAction } from '../../../host/ide/index.ts';

/** The message of the error that a line is refused with. */
function refusal(line: string, parse: (line: string) => unknown = inputOf): string {
  try {
    parse(line);
  } catch (error) {
    assert(error instanceof PwpError && error.code === 'bad-action', String(error));
    return error.message;
  }
  assert.fail(`accepted: ${line}`);
}

describe('xdotool lines', () => {
  it('read a chain of commands in one xdotool and across &&', () => {
    assert.deepEqual(inputOf(`xdotool mousemove 1000 1200 click 1 && xdotool type 'hello'`), [
      { kind: 'move', x: 1000, y: 1200, relative: false },
      { kind: 'button', button: 1, action: 'click', repeat: 1, delayMs: 0 },
      { kind: 'type', text: 'hello', delayMs: 0 },
    ]);
  });

  it('read &&, also without blanks around it, but not inside quotes', () => {
    assert.equal(inputOf('xdotool click 1&&xdotool click 3').length, 2);
    assert.deepEqual(inputOf(`xdotool type 'a && b'`), [{ kind: 'type', text: 'a && b', delayMs: 0 }]);
  });

  it('read chords up to the next command', () => {
    assert.deepEqual(inputOf('xdotool key --delay 20 ctrl+k ctrl+shift+p sleep 0.25 keydown shift'), [
      { kind: 'key', keys: ['ctrl', 'k'], action: 'press', delayMs: 20 },
      { kind: 'key', keys: ['ctrl', 'shift', 'p'], action: 'press', delayMs: 20 },
      { kind: 'sleep', ms: 250 },
      { kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 },
    ]);
  });

  it('repeat clicks and keys', () => {
    assert.deepEqual(inputOf('xdotool click --repeat 3 --delay 40 1'), [
      { kind: 'button', button: 1, action: 'click', repeat: 3, delayMs: 40 },
    ]);
    assert.equal(inputOf('xdotool key --repeat 3 --repeat-delay 5 Down').length, 6);
  });

  it('accept negative numbers with and without --', () => {
    const expected = [{ kind: 'move', x: -5, y: 3, relative: true }];
    assert.deepEqual(inputOf('xdotool mousemove_relative -5 3'), expected);
    assert.deepEqual(inputOf('xdotool mousemove_relative --sync -- -5 3'), expected);
  });

  it('accept harmless options and keep --clearmodifiers', () => {
    assert.deepEqual(inputOf('xdotool mousemove --sync 1 2'), [
      { kind: 'move', x: 1, y: 2, relative: false },
    ]);
    assert.deepEqual(inputOf('xdotool getmouselocation --shell'), [{ kind: 'locate' }]);
    assert.deepEqual(inputOf('xdotool key --clearmodifiers ctrl+s'), [
      { kind: 'key', keys: ['ctrl', 's'], action: 'press', delayMs: 0, clearModifiers: true },
    ]);
  });

  it('type all words to the end, with nothing between them, as xdotool does', () => {
    assert.deepEqual(inputOf('xdotool type --delay 5 -- --x click 1'), [
      { kind: 'type', text: '--xclick1', delayMs: 5 },
    ]);
  });
});

describe('quoting in xdotool lines', () => {
  const texts: [string, string][] = [
    [`'a "b" $c \`d\` \\ ;|'`, 'a "b" $c `d` \\ ;|'],
    [`"a 'b' \\" \\$ \\\\ \\n"`, `a 'b' " $ \\ \\n`],
    [`'it'\\''s'`, `it's`],
    [`a\\ b\\;c`, 'a b;c'],
    [`'line one\nline two'`, 'line one\nline two'],
    [`''`, ''],
    [`"日本語 😀"`, '日本語 😀'],
    [`a"b"'c'`, 'abc'],
  ];
  for (const [written, text] of texts) {
    it(`reads ${JSON.stringify(written)}`, () => {
      assert.deepEqual(inputOf(`xdotool type ${written}`), [{ kind: 'type', text, delayMs: 0 }]);
    });
  }

  for (const character of ['$', '`', ';', '|', '&', '<', '>', '(', ')']) {
    it(`refuses ${character} outside quotes and names it`, () => {
      assert.match(
        refusal(`xdotool type a${character}b`),
        new RegExp(`unquoted '\\${character}' at column 15`),
      );
    });
  }

  it('refuses a quote that is never closed, and a lonely backslash', () => {
    assert.match(refusal(`xdotool type 'abc`), /the ' at column 14 is never closed/);
    assert.match(refusal(`xdotool type "abc\\"`), /the " at column 14 is never closed/);
    assert.match(refusal(`xdotool type a\\`), /backslash at column 15/);
  });
});

describe('xdotool lines that are refused', () => {
  const refused: [string, RegExp][] = [
    ['xdotool mousmove 1 2', /unknown xdotool command 'mousmove' at column 9.*mousemove/],
    ['xdotool mousemove 10', /nothing after '10' at column 19.*y in screen pixels/],
    ['xdotool mousemove 1.5 2', /'1.5' at column 19.*whole number/],
    ['xdotool mousemove 1e3 2', /'1e3' at column 19/],
    ['xdotool mousemove -- -1 2', /'-1' at column 22.*from 0/],
    ['xdotool mousemove --window 7 1 2', /'--window' at column 19.*one screen/],
    ['xdotool mousemove --polar 1 2', /'--polar'/],
    ['xdotool click 0', /'0' at column 15.*button/],
    ['xdotool click left', /'left' at column 15/],
    ['xdotool click --repeat 0 1', /'0' at column 24.*--repeat/],
    ['xdotool click --delay 1', /nothing after '1'/],
    ['xdotool click --frob 1', /'--frob' at column 15.*--repeat/],
    ['xdotool key', /nothing after 'key' at column 9/],
    ['xdotool key ctrl++', /'ctrl\+\+' at column 13.*plus/],
    ['xdotool key a+b+c+d+e+f+g+h+i+j+k', /too many keys/],
    ['xdotool type', /nothing after 'type'/],
    ['xdotool type --file secrets', /'--file' at column 14/],
    ['xdotool sleep soon', /'soon' at column 15.*seconds/],
    ['xdotool sleep 61', /'61' at column 15/],
    ['xdotool', /nothing after xdotool/],
    ['xdotool click 1 &&', /empty command/],
    ['xdotool click 1 && && xdotool click 1', /empty command/],
    ['xdotool click 1 && rm -rf x', /unknown word 'rm' at column 20/],
    ['', /empty command/],
  ];
  for (const [line, message] of refused) {
    it(`${line || 'an empty line'}`, () => {
      assert.match(refusal(line), message);
    });
  }

  it('too long a line, and too many commands', () => {
    assert.match(refusal(`xdotool type '${'a'.repeat(1_000_000)}'`), /At most 1000000/);
    assert.match(refusal(`xdotool ${'key --repeat 1000 a '.repeat(11)}`), /too many commands/);
  });
});

describe('action lines', () => {
  for (const verb of [
    'click',
    'double_click',
    'triple_click',
    'right_click',
    'middle_click',
    'hover',
  ] as const) {
    it(`reads ${verb} [12]`, () => {
      assert.deepEqual(parseAction(` ${verb} [12] `), { kind: 'mark', verb, mark: 12 });
    });
  }

  const onMarks: Record<string, object> = {
    'drag [3] to [14]': { verb: 'drag', mark: 3, to: 14 },
    'scroll [3] up 7': { verb: 'scroll', mark: 3, direction: 'up', amount: 7 },
    "type [3] 'two words'": { verb: 'type', mark: 3, text: 'two words' },
    "type [3] ''": { verb: 'type', mark: 3, text: '' },
    "type [3] 'it'\\''s'": { verb: 'type', mark: 3, text: "it's" },
  };
  for (const [line, act] of Object.entries(onMarks)) {
    it(`reads ${line}, and writes it the same way`, () => {
      const action = parseAction(line);
      assert.deepEqual(action, { kind: 'mark', ...act });
      assert.equal(actionText(action), line);
    });
  }

  it('refuses ambiguous lines', () => {
    assert.deepEqual(parseAction('scroll [3] down'), {
      kind: 'mark',
      verb: 'scroll',
      mark: 3,
      direction: 'down',
      amount: 3,
    });
    assert.match(refusal('scroll [3] down 101', parseAction), /1 to 100/);
    assert.match(refusal('scroll [3]', parseAction), /no action/);
    assert.match(refusal('type [3] two words', parseAction), /single quotes/);
    assert.match(refusal("type [3] 'open", parseAction), /quote/);
    assert.match(refusal('drag [3]', parseAction), /no action/);
  });

  it('accepts a valid xdotool line, and refuses one with wrong words', () => {
    const line = 'xdotool click 1';
    assert.deepEqual(parseAction(`${line}\n`), { kind: 'xdotool', line });
    assert.match(refusal('xdotool clack 1', parseAction), /'clack'/);
  });

  it('refuses anything else and says which actions there are', () => {
    assert.match(refusal('press the button', parseAction), /no action: 'press the button'.*click \[12\]/);
    assert.match(refusal('click [twelve]', parseAction), /no action.*click \[12\]/);
    assert.match(
      refusal("type 'x'", parseAction),
      /no action: 'type 'x''\. Begin it with xdotool: xdotool type 'x'$/,
    );
    assert.match(refusal('xdotools click 1', parseAction), /no action/);
  });

  it('says how to write a mark whose number has no brackets', () => {
    const meant = (line: string) => /in brackets: (.*)\.$/.exec(refusal(line, parseAction))?.[1];
    assert.equal(meant('click 12'), 'click [12]');
    assert.equal(meant('double_click #7'), 'double_click [7]');
    assert.equal(meant('click 1'), 'click [1], or a button of the mouse: xdotool click 1');
    assert.equal(meant('drag 12 to 15'), 'drag [12] to [15]');
    assert.equal(meant('scroll 12 down 3'), 'scroll [12] down 3');
    assert.equal(meant("type 12 'x'"), "type [12] 'x'");
    assert.equal(meant('press 12'), undefined);
  });
});
