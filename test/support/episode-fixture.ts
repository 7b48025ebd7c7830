import type { Box } from '../../bridge/protocol/index.ts';
import type { ActionOutcome, StepInfo } from '../../host/ide/index.ts';
import { type EpisodeEnding, openRecord, type RecordMeta } from '../../host/run/index.ts';
import {
  grade,
  meta,
  observationOf,
  pngOf,
  resetInfo,
  size,
  stepOf,
  typed,
  workbenchPng,
} from './record-fixture.ts';
import type { Scene } from './workbench-svg.ts';

const before = [
  '"""Keeps count of what is on the shelves."""',
  '',
  'class Inventory:',
  '    def __init__(self, items):',
  '        self.items = dict(items)',
  '',
  '    def restock(self, name, packs, per_pack = 12):',
  '        if name not in self.items:',
  '            self.items[name] = 0',
  '        for pack in range(1, packs):',
  '            self.items[name] += per_pack',
  '        return self.items[name]',
];
const after = before.map((line) =>
  line.replace('range(1, packs)', 'range(packs)').replace('per_pack = 12', 'per_pack=12'),
);
const tests = [
  'root@sandbox:/workspace# pytest -q',
  '....                                   [100%]',
  '4 passed in 0.03s',
  'root@sandbox:/workspace# ',
];
const open: Scene = { tab: 'inventory.py', code: before, line: 9 };
const palette: Box = { x: 560, y: 34, width: 800, height: 134 };

interface Played {
  readonly scene: Scene;
  readonly outcomes: readonly ActionOutcome[];
  readonly changed: Box | null;
  readonly over?: Partial<StepInfo>;
  readonly message?: string;
}

const shell = (command: string, output: string): ActionOutcome => ({
  action: { kind: 'tool', name: 'shell', arguments: { command } },
  effect: 'confirmed',
  evidence: 'exit code 0 after 412 ms',
  output,
});

/** The actions of the fixture's agent: every effect occurs, a service dies, a wait reaches its cap. */
const played: readonly Played[] = [
  {
    scene: {
      ...open,
      palette: '>',
      suggestions: ['Preferences: Open Workspace Settings (JSON)', 'Preferences: Open User Settings (JSON)'],
    },
    outcomes: [
      typed(
        'xdotool key ctrl+shift+p',
        'confirmed',
        'focus moved to the input “Type the name of a command to run.”',
      ),
    ],
    changed: palette,
    message:
      'The setting has to go into the workspace, so I open its settings file through the command palette.',
  },
  {
    scene: {
      tab: 'settings.json',
      code: ['{', '    "editor.formatOnSave": true', '}'],
      dirty: true,
      line: 1,
    },
    outcomes: [
      typed('xdotool key Return', 'confirmed', 'screen changed in 1536×1012 at (384, 36)'),
      typed(
        `xdotool type '{\n    "editor.formatOnSave": true\n}'`,
        'partial',
        'buffer holds 33 of 36 characters; a closing brace was added twice',
      ),
    ],
    changed: { x: 384, y: 36, width: 1536, height: 180 },
  },
  {
    scene: { tab: 'settings.json', code: ['{', '    "editor.formatOnSave": true', '}'], line: 1 },
    outcomes: [typed('xdotool key ctrl+s', 'confirmed', 'settings.json is no longer dirty')],
    changed: { x: 578, y: 48, width: 22, height: 22 },
  },
  {
    scene: open,
    outcomes: [
      {
        action: { kind: 'mark', verb: 'click', mark: 6 },
        effect: 'confirmed',
        evidence: 'inventory.py is the active tab',
        output: undefined,
      },
    ],
    changed: { x: 384, y: 36, width: 1536, height: 420 },
  },
  {
    scene: open,
    outcomes: [
      typed('xdotool mousemove 700 388 click 7', 'refused', 'no mouse button 7: buttons are 1 to 5'),
    ],
    changed: null,
    over: { skipped: [{ kind: 'xdotool', line: "xdotool type 'range(packs)'" }] },
  },
  {
    scene: { ...open, code: after, dirty: true },
    outcomes: [
      typed('xdotool mousemove 700 388 click --repeat 2 1', 'confirmed', 'selection is now “range”'),
      typed("xdotool type 'range(packs):'", 'confirmed', 'the buffer holds the text as typed'),
    ],
    changed: { x: 470, y: 362, width: 560, height: 27 },
  },
  {
    scene: { ...open, code: after },
    outcomes: [
      typed(
        'xdotool key ctrl+s',
        'unverifiable',
        'the extension did not answer while its host was restarting',
      ),
    ],
    changed: { x: 0, y: 0, ...size },
    over: {
      settled: { ms: 3000, reason: 'cap', busy: ['screen', 'cpu 38 %', 'progress bar'] },
      timing: { actMs: 31, settleMs: 3000, screenshotMs: 44, marksMs: 27, totalMs: 3102 },
      services: [
        {
          name: 'extension',
          state: 'ready',
          restarts: 1,
          detail: 'exit code 134; last line: FATAL ERROR: Reached heap limit',
        },
      ],
    },
  },
  {
    scene: { ...open, code: after, terminal: tests },
    outcomes: [
      shell(
        'cd /workspace && pytest -q',
        '....                                   [100%]\n4 passed in 0.03s\n',
      ),
    ],
    changed: { x: 384, y: 772, width: 1536, height: 276 },
    over: { timing: { actMs: 438, settleMs: 212, screenshotMs: 40, marksMs: 24, totalMs: 714 } },
  },
  {
    scene: { ...open, code: after, terminal: tests },
    outcomes: [typed('xdotool key Escape', 'no-effect', 'nothing changed on the screen, focus stayed')],
    changed: null,
  },
];

export interface EpisodeFixture {
  readonly meta?: Partial<RecordMeta>;
  readonly reward?: number;
  readonly how?: EpisodeEnding;
  readonly reason?: string;
}

/** Records a whole episode with real pictures, as a run would. */
export async function writeEpisode(folder: string, fixture: EpisodeFixture = {}): Promise<void> {
  const { reward = 1, how = 'finished', reason } = fixture;
  await using record = await openRecord(folder, { ...meta, ...fixture.meta });
  await record.reset(observationOf(1, await workbenchPng(open)), resetInfo);
  for (const [index, { scene, outcomes, changed, over, message }] of played.entries()) {
    const bytes = await workbenchPng(scene);
    const changes = changed ? [changed] : [];
    const screen = { ...pngOf(bytes), pointer: { x: 700, y: 388 }, changed, changes };
    const observation = observationOf(index + 2, bytes, {
      screen,
      title: `${scene.tab} - stock - code-server`,
    });
    await record.step(
      observation,
      stepOf(index + 1, outcomes, over),
      message === undefined ? {} : { message },
    );
  }
  if (how !== 'infrastructure-error')
    await record.grade({
      ...grade,
      reward,
      checks: grade.checks.map((check, index) =>
        index < grade.checks.length * reward
          ? check
          : { ...check, passed: false, why: 'expected 24, got 12' },
      ),
    });
  await record.end(how, reason);
}
