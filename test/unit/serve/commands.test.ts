import assert from 'node:assert/strict';
import { InputTranslator } from '../../../host/doors/serve/live/input-commands.ts';
import type { InputMessage, KeyStroke, Modifier } from '../../../host/doors/web/live/messages.ts';
import { explainUnplayable, type InputCommand } from '../../../host/node/index.ts';

const screen = { width: 1280, height: 800 };

/** One line for each command; a node must be able to play it. */
function wordsOf(commands: readonly InputCommand[]): string[] {
  return commands.map((command) => {
    assert.equal(explainUnplayable(command, screen), undefined);
    const clear = 'clearModifiers' in command && command.clearModifiers ? ' alone' : '';
    switch (command.kind) {
      case 'move':
        return `move ${command.x} ${command.y}`;
      case 'button':
        return `${command.action} ${command.button}${command.repeat > 1 ? ` x${command.repeat}` : ''}`;
      case 'key':
        return `${command.action} ${command.keys.join('+')}${clear}`;
      case 'type':
        return `type ${command.text}${clear}`;
      default:
        return command.kind;
    }
  });
}

function stroke(key: string, held: readonly Modifier[] = [], more: Partial<KeyStroke> = {}) {
  return { type: 'key', key, code: '', held, altGraph: false, ...more } as const;
}

describe('commands of a person at the page', () => {
  let commands: InputTranslator;
  beforeEach(() => (commands = new InputTranslator(screen)));
  const play = (message: Exclude<InputMessage, { type: 'paste' | 'copy' }>) => wordsOf(commands.of(message));

  it('move, press and turn where the person does', () => {
    assert.deepEqual(play({ type: 'move', x: 10.6, y: 20 }), ['move 11 20']);
    assert.deepEqual(play({ type: 'button', button: 2, down: true, x: 1, y: 2 }), ['move 1 2', 'down 3']);
    assert.deepEqual(play({ type: 'button', button: 3, down: false, x: 1, y: 2 }), ['move 1 2', 'up 8']);
    assert.deepEqual(play({ type: 'wheel', across: -1, down: 3, x: 5, y: 5 }), [
      'move 5 5',
      'click 5 x3',
      'click 6',
    ]);
  });

  it('stay on the screen', () => {
    assert.deepEqual(play({ type: 'move', x: -5, y: 9999 }), ['move 0 799']);
  });

  it('type characters, and press keys', () => {
    assert.deepEqual(play(stroke('a')), ['type a']);
    assert.deepEqual(play(stroke('Enter')), ['press Return']);
    assert.deepEqual(play({ type: 'text', text: '漢字' }), ['type 漢字']);
  });

  it('hold modifiers for clicks and several keys', () => {
    assert.deepEqual(play({ type: 'modifier', modifier: 'ctrl', down: true }), ['down ctrl']);
    assert.deepEqual(play({ type: 'modifier', modifier: 'ctrl', down: true }), []);
    assert.deepEqual(play(stroke('Tab', ['ctrl'])), ['press Tab']);
    assert.deepEqual(play({ type: 'modifier', modifier: 'ctrl', down: false }), ['up ctrl']);
  });

  it('press and release modifiers that the page missed', () => {
    assert.deepEqual(play(stroke('p', ['ctrl', 'shift'])), ['down shift', 'down ctrl', 'press p']);
    assert.deepEqual(play(stroke('x')), ['up shift', 'up ctrl', 'type x']);
  });

  it('release Shift for characters that do not need it in the sandbox', () => {
    assert.deepEqual(play(stroke('A', ['shift'])), ['down shift', 'type A']);
    assert.deepEqual(play(stroke('/', ['shift'])), ['type / alone']);
    assert.deepEqual(play(stroke('/', ['shift', 'ctrl'])), [
      'down ctrl',
      'up shift',
      'press /',
      'down shift',
    ]);
  });

  it("type AltGr's character, regardless of held keys", () => {
    play({ type: 'modifier', modifier: 'ctrl', down: true });
    assert.deepEqual(play(stroke('@', ['ctrl', 'alt'], { altGraph: true })), ['type @ alone']);
  });

  it('press a shortcut regardless of held keys', () => {
    assert.deepEqual(wordsOf(commands.shortcut(['ctrl'], 'v')), ['press ctrl+v']);
    play({ type: 'modifier', modifier: 'ctrl', down: true });
    assert.deepEqual(wordsOf(commands.shortcut(['ctrl', 'shift'], 'v')), ['press ctrl+shift+v alone']);
  });

  it('release everything', () => {
    play({ type: 'modifier', modifier: 'alt', down: true });
    assert.deepEqual(play({ type: 'release' }), ['release']);
    assert.deepEqual(play({ type: 'modifier', modifier: 'alt', down: false }), []);
  });
});
