import type { Box } from '../../../bridge/protocol/index.ts';
import type { CheckedCall } from '../tools/index.ts';
import type { Intent } from './intent.ts';
import type { Action, MarkAct, PersonQuestion } from './types.ts';
import type { View } from './view.ts';
import type { XdotoolPart } from './xdotool.ts';

/** A compiled action: all of its words are checked, and its coordinates are screen pixels. */
export type Plan = { readonly action: Action } & (
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
      readonly act: MarkAct;
      readonly suppressed?: boolean;
    }
  | {
      readonly kind: 'input';
      readonly parts: readonly XdotoolPart[];
      readonly intent: Intent;
      /** It should look as if it had been played without an effect. Default false. */
      readonly suppressed?: boolean;
    }
);

export type InputPlan = Extract<Plan, { kind: 'input' }>;

/** The space of an agent's coordinates: the pixels of the picture that it saw, or those of the screen. */
export interface Sight {
  readonly screen: Box;
  readonly view?: View | undefined;
}
