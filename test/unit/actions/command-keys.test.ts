import assert from 'node:assert/strict';
import { endsWithCommand } from '../../../host/ide/actions/input-intent.ts';
import { parseXdotoolLine } from '../../../host/ide/actions/xdotool.ts';

describe('endsWithCommand: whether a key may open something late', () => {
  const ends = (line: string) =>
    endsWithCommand(parseXdotoolLine(line).flatMap((part) => ('input' in part ? part.input : [])));

  for (const line of [
    'xdotool key ctrl+p',
    'xdotool key ctrl+shift+s',
    'xdotool key alt+Left',
    'xdotool key F2',
    'xdotool key shift+F12',
    'xdotool key ctrl+k ctrl+o',
    'xdotool key Return',
  ])
    it(`is true for ${line}`, () => assert.equal(ends(line), true));

  for (const line of [
    'xdotool key ctrl+a',
    'xdotool key ctrl+shift+Home',
    'xdotool key shift+Tab',
    'xdotool key ctrl+p Down',
    'xdotool keydown ctrl',
    'xdotool type F2',
    'xdotool click 1',
  ])
    it(`is false for ${line}`, () => assert.equal(ends(line), false));
});
