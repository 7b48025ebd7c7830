import type { Box, Point } from '../../../bridge/protocol/index.ts';
import type { AnswerPicture, ToolAnswer } from '../tools/index.ts';
import type { Intent } from './intent.ts';
import type { Action } from './types.ts';

/** An action that was tried. */
export type Act = { readonly action: Action } & (
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
      readonly zoom?: Zoom;
      /** The screen in the middle of a batch. */
      readonly shot?: AnswerPicture;
    }
  | {
      /** Played to its end as input; its outcome has to be observed. */
      readonly kind: 'played';
      readonly intent: Intent;
      readonly output: string | undefined;
      /** Where the pointer was afterwards, for pointer motion alone. */
      readonly pointer?: Point | undefined;
      /** None of it was played, as the episode's options ask. Default false. */
      readonly suppressed?: boolean;
    }
);

export interface Zoom {
  /** The requested part of the screen, in screen pixels. */
  readonly region: Box;
  /** As it was then. */
  readonly image: AnswerPicture;
}
