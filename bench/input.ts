import { join } from 'node:path';
import { type Editor, ide } from '../bridge/protocol/index.ts';
import { Session } from '../host/ide/index.ts';
import { runFolder } from '../host/lib/index.ts';
import {
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type InputCommand,
  type Sandbox,
} from '../host/node/index.ts';
import { rebuilt } from './lib/rebuilt.ts';
import { SeedDesign } from './lib/seed.ts';
import { measure, summarise } from './lib/stats.ts';
import { renderTable, type Row } from './lib/table.ts';
import { mixedText } from './lib/text.ts';
import { inputOf } from './lib/xdotool.ts';

const rounds = { act: 60, other: 15, exec: 10, typing: 3 } as const;
/** Default number of texts that are typed and compared. */
const usualTexts = 100;
const textLength = 1000;
/** An editor that leaves typed text unchanged; for other languages it does everything that it usually does. */
const plainSettings = {
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoSurround': 'never',
  'editor.autoIndent': 'none',
  'editor.quickSuggestions': false,
  'editor.suggestOnTriggerCharacters': false,
  'editor.tabCompletion': 'off',
  'editor.insertSpaces': false,
  'editor.detectIndentation': false,
  'editor.formatOnType': false,
  'editor.trimAutoWhitespace': false,
  'editor.wordBasedSuggestions': 'off',
};

/** Lines of each kind; they leave the IDE as they found it. */
const kinds: readonly (readonly [string, (round: number) => string])[] = [
  ['move', (round) => `mousemove ${600 + (round % 50)} 400`],
  ['click', (round) => `mousemove ${600 + (round % 50)} 400 click 1`],
  ['wheel', (round) => `click ${round % 2 === 0 ? 5 : 4}`],
  ['drag', () => 'mousemove 600 400 mousedown 1 mousemove 640 400 mouseup 1'],
  ['key', (round) => `key ${round % 2 === 0 ? 'Right' : 'Left'}`],
  ['chord', () => 'key ctrl+Home'],
  ['type: 5 letters', () => 'type hello'],
];

/**
 * Input: how long each kind takes, beside a process of the xdotool program for each and beside entering the container
 * for each; how fast text arrives; and how many texts of all kinds of characters arrive exactly.
 * @param count texts to compare
 */
export async function input(signal: AbortSignal, count: number = usualTexts): Promise<void> {
  await using node = await createLocalNode({ signal });
  const spec = { name: 'bench', role: 'ide', seeds: [], keep: false } as const;
  await using sandbox = await node.start(
    { ...spec, display: defaultDisplay, limits: defaultLimits },
    { signal },
  );
  await sandbox.ready({ signal });
  await prepare(sandbox, signal);
  using session = new Session(sandbox);
  await session.settle({ signal });
  using seed = new SeedDesign(join(runFolder, sandbox.id, 'desk', 'X1'));
  const rows: Row[] = [];
  for (const [what, line] of kinds) {
    const own = await measure(rounds.act, (round) =>
      sandbox.input(inputOf(`xdotool ${line(round)}`), { signal }),
    );
    const other = await measure(rounds.other, (round) => seed.act(line(round)));
    rows.push({ what: `act: ${what}`, own: summarise(own), seed: summarise(other) });
  }
  console.log('each kind beside one process of the xdotool program');
  console.log(renderTable(rows));
  await beside(sandbox, signal);
  await throughput(session, seed, signal);
  await exactness(session, count, signal);
  await changes(session, count, signal);
}

async function prepare(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const settings = JSON.stringify({ '[plaintext]': plainSettings });
  const write = `mkdir -p .vscode && cat > .vscode/settings.json && : > plain.txt && : > code.py`;
  const argv = ['bash', '-c', `cd /workspace && printf %s "$SETTINGS" | (${write})`];
  const limits = { timeoutMs: 20_000, maxOutputBytes: 10_000 };
  await sandbox.exec(
    { argv, cwd: '/', env: { SETTINGS: settings, PATH: '/usr/bin:/bin' }, ...limits },
    { signal },
  );
  using session = new Session(sandbox);
  await session.settle({ signal });
  await open(session, 'plain.txt', signal);
}

async function open(session: Session, name: string, signal: AbortSignal): Promise<void> {
  for (const line of ['key ctrl+p', `type ${name}`, 'key Return'])
    await session.step(`xdotool ${line}`, { signal });
}

/** The cost of entering the container for every action, before xdotool has done anything in it. */
async function beside(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const enter = () =>
    sandbox.exec(
      { argv: ['true'], cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 20_000, maxOutputBytes: 1000 },
      { signal },
    );
  const own = await measure(rounds.act, () => sandbox.input(inputOf('xdotool key Right'), { signal }));
  const other = await measure(rounds.exec, enter);
  console.log(
    '\none key beside entering the container by its runtime, as docker exec does, without any xdotool',
  );
  console.log(renderTable([{ what: 'act: key', own: summarise(own), seed: summarise(other) }]));
}

/** From the first key until the buffer holds all of it. */
async function throughput(session: Session, seed: SeedDesign, signal: AbortSignal): Promise<void> {
  const ascii = 'The quick brown fox jumps over the lazy dog. '.repeat(12).slice(0, 500);
  const rates = async (text: string, type: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let round = 0; round < rounds.typing; round += 1) {
      await clear(session, signal);
      const begin = performance.now();
      await type();
      await arrived(session.sandbox, [...text].length, signal);
      times.push(([...text].length / (performance.now() - begin)) * 1000);
    }
    return summarise(times);
  };
  const own = (text: string) => () =>
    session.sandbox.input([{ kind: 'type', text, delayMs: 0 } satisfies InputCommand], { signal });
  const mixed = mixedText(1, 500);
  console.log('\ncharacters a second until the buffer holds them (median of 3)');
  console.log(`  ASCII             ${(await rates(ascii, own(ascii))).median.toFixed(0)}`);
  console.log(`  mixed Unicode     ${(await rates(mixed, own(mixed))).median.toFixed(0)}`);
  const program = await rates(ascii, () => seed.act(`type '${ascii}'`));
  console.log(`  ASCII by xdotool  ${program.median.toFixed(0)}`);
}

async function exactness(session: Session, count: number, signal: AbortSignal): Promise<void> {
  let exact = 0;
  let right = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    await clear(session, signal);
    const text = mixedText(seed, textLength);
    const { info } = await session.step([{ kind: 'computer', call: { type: 'type', text } }], { signal });
    const same = (await read(session.sandbox, signal))?.text === text;
    if (same) exact += 1;
    // An effect that contradicts the buffer would be worse than a lost character.
    if (same === (info.outcomes[0]?.typed?.differences.length === 0)) right += 1;
    else console.log(`  text ${seed}: ${info.outcomes[0]?.evidence ?? 'no outcome'}`);
  }
  console.log(
    `\n${exact} of ${count} texts of ${textLength} mixed characters exact; the effect was right of ${right}`,
  );
}

/**
 * The same in an editor that closes brackets, indents and suggests: whether the effect reports all of its changes.
 */
async function changes(session: Session, count: number, signal: AbortSignal): Promise<void> {
  await open(session, 'code.py', signal);
  let right = 0;
  let differences = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    await clear(session, signal);
    const before = (await read(session.sandbox, signal))?.text ?? '';
    const text = mixedText(seed, textLength);
    const { info } = await session.step([{ kind: 'computer', call: { type: 'type', text } }], { signal });
    const { typed, evidence } = info.outcomes[0] ?? {};
    const after = (await read(session.sandbox, signal))?.text;
    differences += typed?.differences.length ?? 0;
    if (typed && rebuilt(before, text, typed) === after) right += 1;
    else console.log(`  text ${seed}: ${evidence ?? 'no outcome'}`);
  }
  console.log(
    `${right} of ${count} texts reported in full in an editor that adds to them, ${differences} differences in all`,
  );
}

async function clear(session: Session, signal: AbortSignal): Promise<void> {
  await session.step('xdotool key ctrl+a Delete', { signal });
}

async function read(sandbox: Sandbox, signal: AbortSignal): Promise<Editor | null> {
  return (await sandbox.call(ide.editor, { includeText: true, current: true }, { signal })).editor;
}

async function arrived(sandbox: Sandbox, length: number, signal: AbortSignal): Promise<void> {
  while ([...((await read(sandbox, signal))?.text ?? '')].length < length) signal.throwIfAborted();
}
