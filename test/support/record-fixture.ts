import sharp from 'sharp';
import type { Mark } from '../../bridge/protocol/index.ts';
import type { Usage } from '../../bridge/protocol/index.ts';
import type { ActionOutcome, Observation, ResetInfo, StepInfo } from '../../host/ide/index.ts';
import type { RecordMeta } from '../../host/run/index.ts';
import type { Grade } from '../../host/tasks/index.ts';
import { type Scene, workbenchSvg } from './workbench-svg.ts';

export const size = { width: 1920, height: 1080 };

export const meta: RecordMeta = {
  session: '0d7c6f0e-5a0c-4a8c-9d55-0c2b6b1f4f10',
  task: 'vscode/format-on-save',
  agent: { name: 'oracle-gui', version: '0.1.0' },
  versions: { pwp: '0.1.0', 'code-server': '4.139.1', 'VS Code': '1.138.0', chromium: '150.0.7871.181' },
};

export const resetInfo: ResetInfo = {
  sandbox: 'format-on-save-7f3a',
  image: '9f2c61d0b7aa',
  task: 'vscode/format-on-save',
  instruction:
    'The workspace holds a small Python package. Make VS Code format the file on every save, for this workspace only ' +
    '(the user settings must stay as they are).\n\nThen open `src/inventory.py`, fix the off-by-one error in ' +
    '`restock()` and save it.',
  startMs: 5230,
  from: 'cold',
  checkpoint: null,
  notes: [],
};

export const grade: Grade = {
  reward: 1,
  checks: [
    {
      name: 'format on save is on in the workspace',
      passed: true,
      why: 'settings.json: editor.formatOnSave = true',
    },
    { name: 'user settings are untouched', passed: true, why: 'same bytes as before' },
    { name: 'restock() counts from one', passed: true, why: '4 of 4 tests passed' },
  ],
  log: '....                                                     [100%]\n4 passed in 0.03s\n',
  ms: 3120,
};

/** The usage of a sandbox that has hit these limits. */
export function usageOf(hits: Partial<Usage['hits']> = {}): Usage {
  const MiB = 1024 * 1024;
  return {
    ...{ memoryBytes: 600 * MiB, memoryLimitBytes: 4096 * MiB, cpuMs: 9100, throttledMs: 0 },
    ...{ pids: 210, pidsLimit: 2048, diskBytes: 90 * MiB, diskLimitBytes: 10_240 * MiB },
    hits: { cpu: 0, memory: 0, pids: 0, disk: 0, ...hits },
  };
}

/** A small real PNG of one colour, for tests that look at no picture. */
export function plainPng(colour: string): Promise<Uint8Array> {
  const background = colour;
  return sharp({ create: { width: 8, height: 6, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A screenshot as VS Code might show it. */
export function workbenchPng(scene: Scene): Promise<Uint8Array> {
  return sharp(Buffer.from(workbenchSvg(scene)))
    .png()
    .toBuffer();
}

/** The picture of a screen of the fixture's size. */
export function pngOf(bytes: Uint8Array) {
  return { bytes, mime: 'image/png', ...size } as const;
}

/** An observation around a picture; `over` replaces single fields. */
export function observationOf(number: number, png: Uint8Array, over: Partial<Observation> = {}): Observation {
  return {
    number,
    screen: { ...pngOf(png), pointer: { x: 640, y: 220 }, changed: null, changes: [] },
    marks,
    omittedMarks: 0,
    focus: { role: 'textbox', name: 'inventory.py', editable: true },
    caret: { x: 612, y: 208, width: 2, height: 24 },
    workbench: true,
    title: 'inventory.py - stock - code-server',
    ...over,
  };
}

/** A step's result; `over` replaces single fields. */
export function stepOf(
  step: number,
  outcomes: readonly ActionOutcome[],
  over: Partial<StepInfo> = {},
): StepInfo {
  return {
    step,
    outcomes,
    skipped: [],
    settled: { ms: 184, reason: 'quiet', busy: [] },
    marks: { since: null, added: [], changed: [], gone: [], back: [], unread: [] },
    timing: { actMs: 36, settleMs: 184, screenshotMs: 41, marksMs: 22, totalMs: 283 },
    services: [],
    ...over,
  };
}

export function typed(
  line: string,
  effect: ActionOutcome['effect'],
  evidence: string,
  output?: string,
): ActionOutcome {
  return { action: { kind: 'xdotool', line }, effect, evidence, output };
}

export const marks: Mark[] = [
  mark(1, 'tab', 'Explorer', [0, 36, 64, 62], { selected: true }),
  mark(2, 'tab', 'Search', [0, 98, 64, 62]),
  mark(3, 'tab', 'Source Control', [0, 160, 64, 62]),
  mark(4, 'tab', 'Run and Debug', [0, 222, 64, 62]),
  mark(5, 'treeitem', 'src', [64, 112, 320, 30], { expanded: true }),
  mark(6, 'treeitem', 'inventory.py', [64, 142, 320, 30], { selected: true }),
  mark(7, 'treeitem', 'test_inventory.py', [64, 172, 320, 30]),
  mark(8, 'treeitem', 'README.md', [64, 202, 320, 30]),
  mark(9, 'tab', 'inventory.py', [384, 36, 210, 46], { selected: true }),
  mark(10, 'textbox', 'inventory.py, Editor', [384, 112, 1440, 660], { focused: true }),
  mark(11, 'button', 'Run Python File', [1790, 44, 32, 30]),
  mark(12, 'button', 'Manage', [0, 984, 64, 62]),
  mark(13, 'button', 'Ln 9, Col 24', [1500, 1048, 110, 32]),
  mark(14, 'button', 'Python', [1760, 1048, 70, 32]),
];

function mark(
  id: number,
  role: string,
  name: string,
  [x, y, width, height]: [number, number, number, number],
  state: Mark['state'] = {},
): Mark {
  return { id, role, name, state, box: { x, y, width, height } };
}
