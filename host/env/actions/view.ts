import { toPicture, toScreen, type InputCommand, type ScreenPicture } from '../../node/index.ts';

/** The part of a picture's description that maps its pixels to the screen's. */
export type View = Omit<ScreenPicture, 'bytes'>;

/** Commands in the pixels of a view, as the agent saw it, in screen pixels. */
export function fromView(commands: readonly InputCommand[], view: View | undefined): readonly InputCommand[] {
  if (!view) return commands;
  return commands.map((command) =>
    command.kind === 'move' ? { ...command, ...moved(command, view) } : command,
  );
}

/** Places on the screen in the pixels of a view. */
export function intoView(
  places: readonly { readonly x: number; readonly y: number }[],
  view: View | undefined,
): readonly { readonly x: number; readonly y: number }[] {
  return view ? places.map((place) => toPicture(view, place)) : places;
}

function moved(
  { x, y, relative }: Extract<InputCommand, { kind: 'move' }>,
  view: View,
): { readonly x: number; readonly y: number } {
  if (!relative) return toScreen(view, { x, y });
  const { region, width, height } = view;
  return { x: Math.round((x * region.width) / width), y: Math.round((y * region.height) / height) };
}
