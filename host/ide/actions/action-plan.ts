import type { Box, Point } from '../../../bridge/protocol/index.ts';
import { type InputCommand, type ScreenPicture, toPicturePoint, toScreenPoint } from '../../node/index.ts';
import type { AnswerPicture, CheckedCall, ToolAnswer } from '../tools/index.ts';
import type { Action, MarkAction, PersonQuestion } from './action.ts';
import type { InputIntent } from './input-intent.ts';
import type { XdotoolPart } from './xdotool.ts';

/** A compiled action: all of its words are checked, and its coordinates are screen pixels. */
export type ActionPlan = { readonly action: Action } & (
  | {
      /** It can't be read, or is not allowed. */
      readonly kind: 'refused';
      readonly why: string;
    }
  | {
      /** Nothing is played: every step ends with a look. */
      readonly kind: 'look';
    }
  | {
      /** A part of the screen is requested, in full resolution. */
      readonly kind: 'zoom';
      readonly region: Box;
    }
  | {
      readonly kind: 'dialog';
      readonly accept: boolean;
      readonly text?: string | undefined;
    }
  | {
      readonly kind: 'ask';
      readonly question: PersonQuestion;
    }
  | {
      readonly kind: 'tool';
      readonly call: CheckedCall;
    }
  | {
      /** Only the page knows where the mark is, and only when its turn has come. */
      readonly kind: 'mark';
      readonly act: MarkAction;
      readonly suppressed?: boolean;
    }
  | {
      readonly kind: 'input';
      readonly parts: readonly XdotoolPart[];
      readonly intent: InputIntent;
      /** It should look as if it had been played without an effect. Default false. */
      readonly suppressed?: boolean;
    }
);

export type InputPlan = Extract<ActionPlan, { kind: 'input' }>;

/** The space of an agent's coordinates: the pixels of the picture that it saw, or those of the screen. */
export interface CoordinateSpace {
  readonly screen: Box;
  readonly view?: ScreenView | undefined;
}

/** An action that was tried. */
export type TriedAction = { readonly action: Action } & (
  | {
      readonly kind: 'refused';
      readonly why: string;
    }
  | {
      /** Not begun, because the IDE's window was gone. */
      readonly kind: 'absent';
      readonly why: string;
    }
  | {
      /** The display or the window went away meanwhile, so how much of it was done is not known. */
      readonly kind: 'lost';
      readonly why: string;
    }
  | {
      /** It proves itself that it was done, e.g. a tool that answered. */
      readonly kind: 'answered';
      readonly answer: string;
      readonly output?: string | undefined;
      readonly tool?: ToolAnswer;
      readonly zoom?: ZoomPicture;
      /** The screen in the middle of a batch. */
      readonly shot?: AnswerPicture;
    }
  | {
      /** Played to its end as input; its outcome has to be observed. */
      readonly kind: 'played';
      readonly intent: InputIntent;
      readonly output: string | undefined;
      /** Where the pointer was afterwards, for pointer motion alone. */
      readonly pointer?: Point | undefined;
      /** None of it was played, as the episode's options ask. Default false. */
      readonly suppressed?: boolean;
    }
);

interface ZoomPicture {
  /** The requested part of the screen, in screen pixels. */
  readonly region: Box;
  /** As it was then. */
  readonly image: AnswerPicture;
}

/** The part of a picture's description that maps its pixels to the screen's. */
export type ScreenView = Omit<ScreenPicture, 'bytes'>;

/** Commands in the pixels of a view, as the agent saw it, in screen pixels. */
export function mapViewToScreen(
  commands: readonly InputCommand[],
  view: ScreenView | undefined,
): readonly InputCommand[] {
  if (!view) return commands;
  return commands.map((command) =>
    command.kind === 'move' ? { ...command, ...moved(command, view) } : command,
  );
}

/** Places on the screen in the pixels of a view. */
export function mapScreenToView(
  places: readonly { readonly x: number; readonly y: number }[],
  view: ScreenView | undefined,
): readonly { readonly x: number; readonly y: number }[] {
  return view ? places.map((place) => toPicturePoint(view, place)) : places;
}

function moved(
  { x, y, relative }: Extract<InputCommand, { kind: 'move' }>,
  view: ScreenView,
): { readonly x: number; readonly y: number } {
  if (!relative) return toScreenPoint(view, { x, y });
  const { region, width, height } = view;
  return { x: Math.round((x * region.width) / width), y: Math.round((y * region.height) / height) };
}
