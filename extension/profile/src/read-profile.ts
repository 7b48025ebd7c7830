import * as vscode from 'vscode';
import {
  describeError,
  layOutFlames,
  type Profile,
  rankFunctions,
  readProfile,
} from '../../../bridge/lib/index.ts';
import type { FlameBar, ProfileView } from '../page/index.ts';

/** Maximum bytes; a view of a larger profile would take too long. */
const maxBytes = 128 * 1024 * 1024;

/** Maximum number of bars; further ones would be too thin to be seen at the initial zoom. */
const maxBars = 50_000;

/** A profile in the page's format, or an error. */
export async function readShownProfile(uri: vscode.Uri): Promise<ProfileView> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes)
      return { kind: 'problem', message: `The file has ${size} bytes, more than ${maxBytes}.` };
    const profile = readProfile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    return composeProfile(profile, uri.path.slice(uri.path.lastIndexOf('/') + 1));
  } catch (error) {
    return { kind: 'problem', message: `This profile can't be shown: ${describeError(error)}` };
  }
}

function composeProfile(profile: Profile, file: string): ProfileView {
  const all = layOutFlames(profile);
  const kept = chooseWidest(all);
  return {
    kind: 'profile',
    file,
    unit: profile.unit,
    total: profile.root.total,
    bars: kept.map(({ frame, depth, start }): FlameBar => {
      const { name, self, total } = frame;
      return { name, place: formatPlace(frame), depth, start, self, total };
    }),
    omitted: all.length - kept.length,
    functions: rankFunctions(profile)
      .slice(0, maxBars)
      .map((one) => ({ name: one.name, place: formatPlace(one), self: one.self, total: one.total })),
  };
}

/** A caller is never thinner than its callees, so the kept bars stay connected. */
function chooseWidest<T extends { readonly frame: { readonly total: number } }>(
  bars: readonly T[],
): readonly T[] {
  if (bars.length <= maxBars) return bars;
  const least = bars.map(({ frame }) => frame.total).sort((a, b) => b - a)[maxBars] ?? 0;
  return bars.filter(({ frame }) => frame.total > least);
}

function formatPlace({ file, line }: { readonly file?: string; readonly line?: number }): string {
  if (file === undefined) return '';
  return line === undefined ? file : `${file}:${line}`;
}
