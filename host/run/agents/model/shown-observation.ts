import { join } from 'node:path';
import { headline, type IdeAnswer, marksText, type Observation } from '../../../ide/index.ts';
import { readUntrusted } from '../../../lib/index.ts';
import type { Task } from '../../../tasks/index.ts';
import type { ImageMime, MessageContent } from '../../models/index.ts';
import type { Turn } from '../agent.ts';
import type { ObservationPart } from './agent-kinds.ts';

/** Longest list of problems, in lines. */
const mostProblems = 30;

/** The requested parts of an observation for a model, text first. */
export async function showObservation(
  { observation, ide }: Pick<Turn, 'observation' | 'ide'>,
  parts: ReadonlySet<ObservationPart>,
  signal: AbortSignal,
): Promise<MessageContent[]> {
  const lines = [
    observation.personChanges ?? '',
    ...(parts.has('focus') ? [headline(observation)] : []),
    ...(parts.has('changed') ? [formatChangedArea(observation)] : []),
    ...(parts.has('problems') ? [formatProblems(await ide.ask('ide.diagnostics', {}, { signal }))] : []),
    ...(parts.has('marks') ? [marksText(observation)] : []),
  ];
  const text = lines.filter((line) => line !== '').join('\n');
  const picture = await showPicture({ observation, ide }, parts);
  return [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...picture];
}

/** The screen as an agent's model sees it. */
export function showScreen({ screen }: Observation): Extract<MessageContent, { kind: 'image' }> {
  const { view } = screen;
  if (!view) return { kind: 'image', bytes: screen.bytes, mime: screen.mime };
  return { kind: 'image', bytes: view.bytes, mime: view.mime };
}

async function showPicture(
  { observation, ide }: Pick<Turn, 'observation' | 'ide'>,
  parts: ReadonlySet<ObservationPart>,
): Promise<MessageContent[]> {
  if (parts.has('marks-drawn')) {
    const { bytes, mime } = await ide.render();
    return [{ kind: 'image', bytes, mime }];
  }
  return parts.has('picture') ? [showScreen(observation)] : [];
}

function formatChangedArea({ screen: { changed, view } }: Observation): string {
  if (!changed) return 'nothing has changed on the screen';
  const scale = view ? view.width / view.region.width : 1;
  const [x, y, width, height] = [changed.x, changed.y, changed.width, changed.height].map((one) =>
    Math.round(one * scale),
  );
  return `the screen has changed within ${x},${y} ${width}x${height}`;
}

function formatProblems(answer: IdeAnswer<'ide.diagnostics'>): string {
  const all = answer.diagnostics.map(
    ({ uri, severity, message, range }) =>
      `${readUriPath(uri)}:${range.start.line + 1}: ${severity}: ${message}`,
  );
  if (all.length === 0) return 'no problems are shown';
  const more = all.length > mostProblems ? [`… and ${all.length - mostProblems} more`] : [];
  return ['problems:', ...all.slice(0, mostProblems), ...more].join('\n');
}

/** A URI from the IDE may be invalid. */
function readUriPath(uri: string): string {
  const path = URL.parse(uri)?.pathname ?? uri;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The maximum number of a task's pictures that a model is shown, and of bytes of each. */
const mostTaskPictures = 10;
const mostPictureFileBytes = 5_000_000;

const pictureMimes: Readonly<Record<string, ImageMime>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** The pictures of a task's workspace that its instruction names, for an agent that can't open them. */
export async function readTaskPictures({
  instruction,
  path,
}: Pick<Task, 'instruction' | 'path'>): Promise<Extract<MessageContent, { kind: 'image' }>[]> {
  const names = new Set(instruction.match(/[\w./-]+\.(?:png|jpe?g|webp)\b/g) ?? []);
  const found = [...names].slice(0, mostTaskPictures).map(async (name) => {
    const mime = pictureMimes[name.slice(name.lastIndexOf('.') + 1)];
    if (mime === undefined || name.split('/').includes('..')) return [];
    // A name that is not a file of the workspace is just a word of the instruction.
    const bytes = await readUntrusted(path, join('environment/workspace', name), mostPictureFileBytes).catch(
      () => null,
    );
    return bytes ? [{ kind: 'image', bytes, mime } as const] : [];
  });
  return (await Promise.all(found)).flat();
}
