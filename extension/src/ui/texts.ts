import { messageOf } from '../../../bridge/lib/index.ts';
import { dom, ide, type AgentStep, type DomGlance, type Method } from '../../../bridge/protocol/index.ts';
import { askBridge } from './bridge.ts';
import type { Ask } from './sections.ts';

/** The whole state as JSON: each method's answer, or its error. */
export async function stateText(ask: Ask): Promise<string> {
  const read = <M extends Method>(method: M, params: Parameters<typeof ask<M>>[1]) =>
    ask(method, params).catch((error: unknown) => ({ error: messageOf(error) }));
  const state = {
    info: await read(ide.info, {}),
    workspace: await read(ide.workspace, {}),
    tabs: await read(ide.tabs, {}),
    editor: await read(ide.editor, {}),
    outline: await read(ide.outline, {}),
    diagnostics: await read(ide.diagnostics, {}),
    settings: await read(ide.changedSettings, {}),
    sourceControl: await read(ide.sourceControl, {}),
    work: await read(ide.work, {}),
    terminals: await read(ide.terminals, {}),
    tasks: await read(ide.tasks, {}),
    debug: await read(ide.debug, {}),
    breakpoints: await read(ide.breakpoints, {}),
    tests: await read(ide.tests, {}),
    extensions: await read(ide.extensions, {}),
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** The marks as agents read them, one per line. Errors: `no-sandbox`. */
export async function marksText(): Promise<string> {
  return linesOf((await askBridge(dom.glance, {})).marks);
}

function linesOf(marks: DomGlance['marks']): string {
  return marks.map(markLine).join('\n');
}

function markLine({ id, role, name, value, state, box }: DomGlance['marks'][number]): string {
  const at = `${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)}`;
  const held = value === undefined ? [] : [`= ${JSON.stringify(value)}`];
  return [`[${id}]`, role, JSON.stringify(name), at, ...held, ...Object.keys(state)].join(' ');
}

/** The result of the last step as its caller received it, and the marks that were shown last. Errors: `no-sandbox`. */
export async function observationText(steps: readonly AgentStep[]): Promise<string> {
  const { observation: last } = await askBridge(dom.last, {});
  const marks = last ? `## Marks of observation ${last.observation}\n\n${linesOf(last.marks)}\n` : '';
  return `${stepText(steps)}\n${marks}`;
}

function stepText(steps: readonly AgentStep[]): string {
  const last = steps.findLast(({ observation }) => observation !== null);
  if (!last) return 'No steps in this window yet.\n';
  const { step, by, at, outcomes, skipped, settled, observation } = last;
  return [
    `# Step ${step ?? ''} (${by}, ${new Date(at).toISOString()})`,
    '',
    ...outcomes.map(
      ({ action, effect, evidence, tool }) =>
        `- \`${action}\`\n  ${effect}: ${evidence}${tool ? `\n\n${fenced(tool.result)}` : ''}`,
    ),
    ...(skipped > 0 ? [`- not tried: ${skipped} later actions`] : []),
    '',
    settled ?? '',
    '',
    observation ?? '',
    '',
  ].join('\n');
}

function fenced(text: string): string {
  return `  \`\`\`\n${text.replaceAll(/^/gm, '  ')}\n  \`\`\``;
}
