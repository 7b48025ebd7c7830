import * as vscode from 'vscode';
import { messageOf } from '../../../bridge/lib/index.ts';
import { flameFrames, functionsOf, readProfile, type Profile } from '../../../bridge/profile/index.ts';
import type { Bar, Shown } from '../page/index.ts';

/** Maximum bytes; a view of a larger profile would take too long. */
const maxBytes = 128 * 1024 * 1024;

/** Maximum number of bars; further ones would be too thin to be seen at the initial zoom. */
const maxBars = 50_000;

/** A profile in the page's format, or an error. */
export async function shownOf(uri: vscode.Uri): Promise<Shown> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes)
      return { kind: 'problem', message: `The file has ${size} bytes, more than ${maxBytes}.` };
    const profile = readProfile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    return shownProfile(profile, uri.path.slice(uri.path.lastIndexOf('/') + 1));
  } catch (error) {
    return { kind: 'problem', message: `This profile can't be shown: ${messageOf(error)}` };
  }
}

function shownProfile(profile: Profile, file: string): Shown {
  const all = flameFrames(profile);
  const kept = widest(all);
  return {
    kind: 'profile',
    file,
    unit: profile.unit,
    total: profile.root.total,
    bars: kept.map(({ frame, depth, start }): Bar => {
      const { name, self, total } = frame;
      return { name, place: placeOf(frame), depth, start, self, total };
    }),
    omitted: all.length - kept.length,
    functions: functionsOf(profile)
      .slice(0, maxBars)
      .map((one) => ({ name: one.name, place: placeOf(one), self: one.self, total: one.total })),
  };
}

/** A caller is never thinner than its callees, so the kept bars stay connected. */
function widest<T extends { readonly frame: { readonly total: number } }>(bars: readonly T[]): readonly T[] {
  if (bars.length <= maxBars) return bars;
  const least = bars.map(({ frame }) => frame.total).sort((a, b) => b - a)[maxBars] ?? 0;
  return bars.filter(({ frame }) => frame.total > least);
}

function placeOf({ file, line }: { readonly file?: string; readonly line?: number }): string {
  if (file === undefined) return '';
  return line === undefined ? file : `${file}:${line}`;
}
