import { deadline, poll, type Probe } from '../bridge/lib/index.ts';
import { dom, shell } from '../bridge/protocol/index.ts';
import { annotate, parseAction, Session } from '../host/ide/index.ts';
import { createLocalNode, defaultDisplay, defaultLimits, type Sandbox } from '../host/node/index.ts';
import { measure, summarise } from './lib/stats.ts';
import { renderTable, type Row } from './lib/table.ts';
import { treeCost } from './lib/trees.ts';

const rounds = 150;

const shown = ['line', 'terminal line', 'link'] as const;

/** Brings up an editor with text, its preview beside it, and a terminal. */
const keys = [
  "key ctrl+p sleep 0.3 type 'notes.md'",
  'key Return',
  'key ctrl+k v',
  'key ctrl+grave',
  "type 'ls -la /\n'",
];

/** The cost of reading the marks of a full workbench, beside the cost of the browser's own trees of the same page. */
export async function marks(signal: AbortSignal): Promise<void> {
  await using node = await createLocalNode({ signal });
  const spec = { name: 'bench', role: 'ide', seeds: [], keep: false } as const;
  await using sandbox = await node.start(
    { ...spec, display: defaultDisplay, limits: defaultLimits },
    { signal },
  );
  await sandbox.ready({ signal });
  await fill(sandbox, signal);
  const seen = await sandbox.call(dom.observe, {}, { signal });
  const screen = await sandbox.capture({ signal });
  const observe = (query: object) => measure(rounds, () => sandbox.call(dom.observe, query, { signal }));
  const all = summarise(await observe({}));
  const part = summarise(await observe({ within: '.part.sidebar' }));
  const snapshot = { computedStyles: ['visibility'], includePaintOrder: true };
  const access = await treeCost(sandbox, rounds, ['Accessibility.getFullAXTree', {}], signal);
  const layout = await treeCost(sandbox, rounds, ['DOMSnapshot.captureSnapshot', snapshot], signal);
  const rows: Row[] = [
    { what: 'marks / accessibility tree', own: all, seed: summarise(access.times) },
    { what: 'marks / DOM snapshot', own: all, seed: summarise(layout.times) },
    { what: 'marks of one view', own: part },
    {
      what: 'tree, 20 KB',
      own: summarise(await measure(rounds, () => sandbox.call(dom.tree, {}, { signal }))),
    },
    { what: 'annotated picture', own: summarise(await measure(10, () => annotate(screen, seen.marks))) },
  ];
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
  const sizes = [JSON.stringify(seen.marks).length, access.bytes, layout.bytes].map(kilobytes);
  process.stdout.write(`${renderTable(rows)}\n`);
  process.stdout.write(
    `${seen.marks.length} marks, ${sizes[0]}; the trees beside them, ${sizes[1]} and ${sizes[2]}, don't tell what is covered.\n`,
  );
}

async function fill(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const text = Array.from({ length: 60 }, (_, i) => `- step ${i}: [link ${i}](notes.md#${i})`).join('\n');
  const { exitCode } = await sandbox.call(
    shell.run,
    { command: `cat > notes.md <<'END'\n# Notes\n\n${text}\nEND` },
    { signal },
  );
  if (exitCode !== 0) throw new Error('the file for the editor could not be written');
  using session = new Session(sandbox);
  for (const line of keys) await session.step([parseAction(`xdotool ${line}`)], { signal });
  using limit = deadline('a workbench with editor, preview and terminal', 30_000, signal);
  const probe = async (): Promise<Probe<true>> => {
    const { marks: found } = await session.observe({ signal: limit.signal });
    const missing = shown.filter((role) => !found.some((mark) => mark.role === role));
    return missing.length === 0 ? { done: true, value: true } : { done: false, saw: `no ${missing.join()}` };
  };
  await poll('the workbench', probe, { intervalMs: 250, signal: limit.signal });
}
