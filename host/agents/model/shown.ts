import type { Answer, Observation } from '../../env/index.ts';
import { headline, marksText } from '../../env/index.ts';
import type { Content } from '../../models/index.ts';
import type { Turn } from '../agent.ts';
import type { ObservationPart } from './parts.ts';

/** Longest list of problems, in lines. */
const mostProblems = 30;

/** The requested parts of an observation for a model, text first. */
export async function shown(
  { observation, ide }: Pick<Turn, 'observation' | 'ide'>,
  parts: ReadonlySet<ObservationPart>,
  signal: AbortSignal,
): Promise<Content[]> {
  const lines = [
    observation.personChanges ?? '',
    ...(parts.has('focus') ? [headline(observation)] : []),
    ...(parts.has('changed') ? [changedText(observation)] : []),
    ...(parts.has('problems') ? [problemsText(await ide.ask('ide.diagnostics', {}, { signal }))] : []),
    ...(parts.has('marks') ? [marksText(observation)] : []),
  ];
  const text = lines.filter((line) => line !== '').join('\n');
  const picture = await pictureOf({ observation, ide }, parts);
  return [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...picture];
}

/** The screen as an agent's model sees it. */
export function pictureBytes({ screen }: Observation): Extract<Content, { kind: 'image' }> {
  const { view } = screen;
  if (!view) return { kind: 'image', bytes: screen.bytes, mime: screen.mime };
  return { kind: 'image', bytes: view.bytes, mime: view.mime };
}

async function pictureOf(
  { observation, ide }: Pick<Turn, 'observation' | 'ide'>,
  parts: ReadonlySet<ObservationPart>,
): Promise<Content[]> {
  if (parts.has('marks-drawn')) {
    const { bytes, mime } = await ide.render();
    return [{ kind: 'image', bytes, mime }];
  }
  return parts.has('picture') ? [pictureBytes(observation)] : [];
}

function changedText({ screen: { changed, view } }: Observation): string {
  if (!changed) return 'nothing has changed on the screen';
  const scale = view ? view.width / view.region.width : 1;
  const [x, y, width, height] = [changed.x, changed.y, changed.width, changed.height].map((one) =>
    Math.round(one * scale),
  );
  return `the screen has changed within ${x},${y} ${width}x${height}`;
}

function problemsText(answer: Answer<'ide.diagnostics'>): string {
  const all = answer.diagnostics.map(
    ({ uri, severity, message, range }) => `${pathIn(uri)}:${range.start.line + 1}: ${severity}: ${message}`,
  );
  if (all.length === 0) return 'no problems are shown';
  const more = all.length > mostProblems ? [`… and ${all.length - mostProblems} more`] : [];
  return ['problems:', ...all.slice(0, mostProblems), ...more].join('\n');
}

/** A URI from the IDE may be invalid. */
function pathIn(uri: string): string {
  const path = URL.parse(uri)?.pathname ?? uri;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
