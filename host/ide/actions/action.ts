import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { askedQuestion } from '../../../bridge/protocol/index.ts';
import type { InputCommand } from '../../node/index.ts';
import type { ToolCall } from '../tools/index.ts';

/** One action. A step takes an ordered batch of them and stops at the first that fails. */
export type Action =
  /** An xdotool line, e.g. `xdotool mousemove 1000 1200 click 1 && xdotool type 'hello'`: parsed, never given to a shell. */
  | { readonly kind: 'xdotool'; readonly line: string }
  /** Something done to marks of the newest observation, e.g. `click [12]`. */
  | ({ readonly kind: 'mark' } & MarkAction)
  /** A model's computer action as its vendor writes it, e.g. `{action: 'left_click', coordinate: [10, 20]}`. */
  | { readonly kind: 'computer'; readonly call: Readonly<Record<string, unknown>> }
  /** Answers a dialog of the browser's (alert, confirm, prompt, leave this page?), which holds up the page until then. */
  | { readonly kind: 'dialog'; readonly accept: boolean; readonly text?: string | undefined }
  /** A call of a tool of the registry (docs/tools.md), e.g. `shell` with `{command}`. */
  | ({ readonly kind: 'tool' } & ToolCall)
  /** Asks the people beside the agent, and waits for the answer; see {@link PersonQuestion}. */
  | ({ readonly kind: 'ask' } & PersonQuestion)
  /** A line that is not an action; always refused, with the reason. */
  | { readonly kind: 'unreadable'; readonly line: string; readonly why: string };

/** An agent's question to the people beside it. */
export interface PersonQuestion {
  /** 1 to 4,000 characters. */
  readonly text: string;
  /** `hands`: to do something by hand, for which a person takes control. Default: an answer in words. */
  readonly wants?: 'answer' | 'hands' | undefined;
  /** Answers to choose from, at most 10 of 200 characters; a person may always write another. Default: none. */
  readonly choices?: readonly string[] | undefined;
  /** Seconds to wait for the answer, 1 to 3600. Default 600. */
  readonly timeout?: number | undefined;
}

/** The action of the pointer at a mark. */
export type MarkVerb = 'click' | 'double_click' | 'triple_click' | 'right_click' | 'middle_click' | 'hover';

export type MarkAction =
  | { readonly verb: MarkVerb; readonly mark: number }
  /** Presses the left button at one mark and releases it at another. */
  | { readonly verb: 'drag'; readonly mark: number; readonly to: number }
  | {
      readonly verb: 'scroll';
      readonly mark: number;
      readonly direction: 'up' | 'down' | 'left' | 'right';
      /** Notches of the wheel, 1 to 100. */
      readonly amount: number;
    }
  /** Clicks a text field and types in place of all that it holds; an empty text empties it. */
  | { readonly verb: 'type'; readonly mark: number; readonly text: string };

/** A model's computer action as its vendor writes it; Anthropic's have `action`, OpenAI's `type`, Gemini's `function`. */
export type ComputerCall = Readonly<Record<string, unknown>>;

/** The request of a computer action: input (empty for a look alone), or a part of the screen, pixel for pixel. */
export type ComputerRead = { readonly commands: readonly InputCommand[] } | { readonly zoom: PictureCorners };

/** Left, top, right and bottom edge of a part of the agent's picture, in its pixels. */
export type PictureCorners = readonly [left: number, top: number, right: number, bottom: number];

/** Size of the picture that the agent's coordinates refer to, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** An agent's question to the people beside it, as models write it. */
export const personQuestion = askedQuestion.pick({ text: true, choices: true }).extend({
  text: askedQuestion.shape.text.describe('the question, or what is to be done by hand'),
  wants: askedQuestion.shape.wants
    .default('answer')
    .describe('answer: an answer in words; hands: to do something by hand in the IDE'),
  choices: askedQuestion.shape.choices.describe('answers to choose from'),
  timeout: z.number().min(1).max(3600).default(600).describe('seconds to wait for the answer'),
});

/** Errors: `bad-action` for one that is empty or too long. */
export function checkQuestion({ text, wants, choices, timeout }: PersonQuestion): PersonQuestion {
  const checked = personQuestion.safeParse({ text, wants, choices, timeout });
  if (checked.success) return checked.data;
  throw new PwpError('bad-action', `bad question: ${z.prettifyError(checked.error)}`);
}
