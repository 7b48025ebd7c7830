import assert from 'node:assert/strict';
import { renderTerminalText, TerminalText } from '../../../bridge/text/index.ts';

/** The escape sequence of a name that begins after `ESC [`. */
const csi = (sequence: string) => `\u001b[${sequence}`;

describe("the visible text of a program's terminal output", () => {
  const cases: Readonly<Record<string, readonly [raw: string, shown: string]>> = {
    'text without anything special': ['one\ntwo', 'one\ntwo'],
    'line ends of a terminal': ['one\r\ntwo\r\n', 'one\ntwo\n'],
    colours: [`${csi('1;31m')}red${csi('0m')} plain`, 'red plain'],
    'titles and marks of a shell': ['\u001b]0;title\u0007a\u001b]633;C\u001b\\b', 'ab'],
    'a progress bar': ['10%\r50%\r100%\r\ndone', '100%\ndone'],
    'a shorter line over a longer one': [`downloading\rdone${csi('K')}\r\n`, 'done\n'],
    'a shorter line that leaves the rest': ['abcdef\rxy', 'xycdef'],
    backspaces: ['passwd\b\b \b', 'pass d'],
    'a line that is erased whole': [`\r${csi('2K')}a\r${csi('2K')}b`, 'b'],
    'a status of two lines, written again by going up': [
      `a 1\r\nb 1\r\n${csi('2A')}${csi('J')}a 2\r\nb 2\r\n`,
      'a 2\nb 2\n',
    ],
    'the same by the start of a line above': [`a 1\nb 1${csi('1F')}a 2\nb 2`, 'a 2\nb 2'],
    'a column that is given': [`abc${csi('2G')}X`, 'aXc'],
    'a mark at the end of a line that was padded': [`a${csi('5G')}ok`, 'a   ok'],
    'places that are saved': ['\u001b7one\u001b8two', 'two'],
    'reverse index': ['a\r\nb\u001bMx', 'ax\nb'],
    'characters put in, taken out and made blank': [
      `abc\r${csi('2@')}${csi('4G')}${csi('1P')}${csi('1G')}${csi('1X')}`,
      '  ac',
    ],
    'lines put in and taken out': [`a\r\nb\r\nc\r${csi('1A')}${csi('1M')}x\r${csi('1L')}y`, 'a\ny\nx'],
    'tabs that only grow': ['a\tb\tc', 'a\tb\tc'],
    'a tab that is written over': ['a\tb\rxyz', 'xyz     b'],
    'a tab over what is there': ['0123456789\r\tX', '01234567X9'],
    'wide characters': ['日本\rX', 'X 本'],
    'emoji that are taken back': ['😀x\b\b\bab', 'abx'],
    'accents of their own': ['re\u0301sume\u0301\rR', 'Re\u0301sume\u0301'],
    'a screen that is erased, with what was above it': [`$ old\r\n${csi('H')}${csi('2J')}new`, '$ old\nnew'],
    'a screen that is drawn again': [`${csi('H')}${csi('2J')}1\r\n2${csi('H')}${csi('2J')}3`, '3'],
    'a terminal that is cleared with what was above': [
      `old\r\n${csi('H')}${csi('2J')}${csi('3J')}new`,
      'new',
    ],
    'a reset': ['old\r\n\u001bcnew', 'new'],
    'a program that fills the screen, at its end': [
      `$ vi\r\n${csi('?1049h')}${csi('H')}~ text${csi('?1049l')}done`,
      '$ vi\ndone',
    ],
    'a program that fills the screen, meanwhile': [
      `$ vi\r\n${csi('?1049h')}${csi('2;3H')}text`,
      '$ vi\n\n\n  text',
    ],
    'the far edge of a screen': [`${csi('999;999H')}${csi('H')}a`, 'a'],
    'modes that show nothing': [`${csi('?25l')}a${csi('?25h')}${csi('?2004h')}`, 'a'],
  };
  for (const [name, [raw, shown]] of Object.entries(cases))
    it(name, () => assert.equal(renderTerminalText(raw).replace(/\n+$/, ''), shown.replace(/\n+$/, '')));

  for (const [name, [raw]] of Object.entries(cases))
    it(`${name}: the same if it comes character by character`, () => {
      const parts: string[] = [];
      const text = new TerminalText({ add: (part) => parts.push(part), clear: () => void parts.splice(0) });
      for (const unit of raw.split('')) text.write(unit);
      assert.equal(parts.join('') + text.text, renderTerminalText(`${raw}\u007f`));
    });

  it('two lines drawn 200 times are two lines', () => {
    let raw = 'start\r\n\r\n';
    for (let i = 0; i < 200; i += 1) raw += `${csi('2A')}${csi('2K')}a ${i}\r\n${csi('2K')}b ${i}\r\n`;
    assert.equal(renderTerminalText(raw), 'a 199\nb 199\n');
  });

  it('is bounded: lines far above, and text that never ends, are dropped', () => {
    let kept = 0;
    const text = new TerminalText({ add: (part) => (kept += part.length), clear: () => (kept = 0) });
    for (let i = 0; i < 50_000; i += 1) text.write(`line ${i}\r\n`);
    assert.ok(text.text.length < 5000, String(text.text.length));
    text.write('x'.repeat(2_000_000));
    text.write(`${csi('9999999999C')}${csi('9999999999B')}.`);
    text.write(`\u001b]${'y'.repeat(100_000)}`);
    text.write(csi('1@').repeat(10_000));
    assert.ok(text.text.length < 200_000, String(text.text.length));
    assert.ok(kept > 2_000_000, String(kept));
  });
});
