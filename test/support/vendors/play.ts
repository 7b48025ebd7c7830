import { parseXdotoolLine } from '../../../host/ide/actions/xdotool.ts';
import type { InputCommand } from '../../../host/node/index.ts';
import { readSolutionSteps, type Task } from '../../../host/tasks/index.ts';
import type { Reply, Saying } from './server.ts';

/** The vocabulary in which a played model acts. `lines`: with the tool `act`. */
export type Words = 'anthropic' | 'openai' | 'gemini' | 'lines';

interface Size {
  readonly width: number;
  readonly height: number;
}

type Call = Readonly<Record<string, unknown>>;

const finish: Reply = { say: [{ text: 'Done.' }, { call: 'finish', arguments: { summary: 'done' } }] };

/** Turns that solve a task by its shell solution. */
export async function byShell(task: Task, tool: 'shell' | 'run_terminal_cmd'): Promise<Reply[]> {
  const [solution] = (await task.solutions()).filter(({ kind }) => kind === 'shell');
  if (!solution) throw new Error(`${task.id} has no shell solution`);
  const command = `bash <<'THE_END_OF_IT'\n${solution.text}\nTHE_END_OF_IT`;
  const given = tool === 'shell' ? { command } : { command, is_background: false };
  return [{ say: [{ text: 'I solve it.' }, { call: tool, arguments: given }] }, finish];
}

/**
 * Turns that solve a task by mouse and keyboard, in a vendor's actions.
 * @param screen that the solution was written for
 * @param picture that the model sees
 */
export async function byHand(task: Task, words: Words, screen: Size, picture: Size): Promise<Reply[]> {
  const [solution] = (await task.solutions()).filter(({ kind }) => kind === 'xdotool');
  if (!solution) throw new Error(`${task.id} has no solution by hand`);
  const at = { x: 0, y: 0 };
  const turns = readSolutionSteps(solution.text).map((line): Saying[] => {
    if (words === 'lines') return [{ call: 'act', arguments: { actions: [scaled(line, screen, picture)] } }];
    const calls = commandsOf(line).flatMap((command) => {
      if (command.kind === 'move') {
        at.x = Math.round((command.x * picture.width) / screen.width);
        at.y = Math.round((command.y * picture.height) / screen.height);
        return words === 'openai' || words === 'gemini'
          ? []
          : [{ action: 'mouse_move', coordinate: [at.x, at.y] }];
      }
      return wordsOf(command, words, at, picture);
    });
    return words === 'openai' || words === 'anthropic'
      ? [{ computer: calls }]
      : calls.map((call) => ({ computer: [call] }));
  });
  return [...turns.filter((say) => say.length > 0).map((say): Reply => ({ say })), finish];
}

function commandsOf(line: string): readonly InputCommand[] {
  return parseXdotoolLine(line).flatMap((part) => {
    if ('binary' in part) throw new Error(`not for mouse and keyboard alone: ${line}`);
    return part.input;
  });
}

/** An xdotool line in pixels of a smaller picture. */
function scaled(line: string, screen: Size, picture: Size): string {
  return line.replaceAll(/mousemove (\d+) (\d+)/g, (_, x: string, y: string) => {
    const to = [(Number(x) * picture.width) / screen.width, (Number(y) * picture.height) / screen.height];
    return `mousemove ${to.map(Math.round).join(' ')}`;
  });
}

function wordsOf(command: InputCommand, words: Words, at: { x: number; y: number }, picture: Size): Call[] {
  const thousandth = (place: number, size: number) => Math.min(1000, Math.ceil((place * 1000) / size));
  const place =
    words === 'gemini'
      ? { x: thousandth(at.x, picture.width), y: thousandth(at.y, picture.height) }
      : { ...at };
  switch (command.kind) {
    case 'type':
      return [
        words === 'anthropic'
          ? { action: 'type', text: command.text }
          : named(words, 'type', { text: command.text }),
      ];
    case 'key':
      if (words === 'anthropic') return [{ action: 'key', text: command.keys.join('+') }];
      return [named(words, words === 'openai' ? 'keypress' : 'hotkey', { keys: [...command.keys] })];
    case 'sleep':
      if (words === 'anthropic') return [{ action: 'wait', duration: command.ms / 1000 }];
      return [named(words, 'wait', words === 'openai' ? {} : { seconds: command.ms / 1000 })];
    case 'button':
      if (command.action !== 'click' || command.button > 3)
        throw new Error(`no word for ${JSON.stringify(command)}`);
      if (words === 'anthropic') return [{ action: clicks[command.button - 1]?.[command.repeat - 1] }];
      if (words === 'gemini') return [named(words, command.repeat > 1 ? 'double_click' : 'click', place)];
      return [
        command.repeat > 1
          ? named(words, 'double_click', place)
          : named(words, 'click', { ...place, button: ['left', 'wheel', 'right'][command.button - 1] }),
      ];
    default:
      throw new Error(`no word for ${JSON.stringify(command)}`);
  }
}

const clicks = [['left_click', 'double_click', 'triple_click'], ['middle_click'], ['right_click']];

function named(words: Words, name: string, fields: Call): Call {
  return { [words === 'openai' ? 'type' : 'function']: name, ...fields };
}
