import * as z from 'zod';
import type { AgentStep, DomGlance } from '../../../../bridge/protocol/index.ts';

/** The maximum length of pasted text, in UTF-16 code units. */
export const longestPaste = 1_000_000;
/** The same for an answer, and for a reason. */
const [longestAnswer, longestReason] = [10_000, 500];
/** More pixels than any screen has: places off the screen are moved to its edge. */
const furthest = 100_000;

/** Keys that are held while others are pressed. */
const modifierName = z.enum(['shift', 'ctrl', 'alt', 'meta']);
/** A point, in pixels of the sandbox's screen. */
const screenPlace = z.object({
  x: z.number().min(-furthest).max(furthest),
  y: z.number().min(-furthest).max(furthest),
});
/** Turns of the wheel in one message. */
const wheelTurns = z.int().min(-50).max(50);
/** A stroke of a key, as `KeyboardEvent` has it. */
const keyStroke = z.object({
  key: z.string().min(1).max(40),
  code: z.string().max(40),
  held: z.array(modifierName).max(4).readonly(),
  altGraph: z
    .boolean()
    .describe('AltGr chose the sign: Control and Alt, which some systems report with it, are not a shortcut'),
});
export type Modifier = z.output<typeof modifierName>;
export type ScreenPlace = Readonly<z.output<typeof screenPlace>>;
export type KeyStroke = Readonly<z.output<typeof keyStroke>>;

const type = <T extends string>(name: T) => z.literal(name);
const text = z.string().min(1).max(longestAnswer);

/** The input of a person in control of the sandbox. */
const inputMessages = [
  screenPlace.extend({ type: type('move') }),
  screenPlace.extend({ type: type('button'), button: z.int().min(0).max(4), down: z.boolean() }),
  screenPlace
    .extend({ type: type('wheel'), across: wheelTurns, down: wheelTurns })
    .describe('down and to the right above 0'),
  keyStroke.extend({ type: type('key') }),
  z.object({ type: type('modifier'), modifier: modifierName, down: z.boolean() }),
  z.object({ type: type('text'), text }).describe('of an input method, a dead key or a touch keyboard'),
  z
    .object({ type: type('paste'), text: z.string().min(1).max(longestPaste), shift: z.boolean() })
    .describe("puts text into the sandbox's clipboard and pastes it; with Shift, as in terminals"),
  z
    .object({ type: type('copy'), cut: z.boolean(), shift: z.boolean() })
    .describe('cuts or copies, then sends what the clipboard has'),
  z.object({ type: type('release') }).describe('releases all keys and buttons'),
] as const;
export type InputMessage = z.input<(typeof inputMessages)[number]>;

/** Everything that a page sends. Only its type is used in a browser. */
export const pageMessage = z.discriminatedUnion('type', [
  ...inputMessages,
  z
    .object({ type: type('next'), after: z.int().nonnegative().nullable() })
    .describe('the page can draw the next change'),
  z.object({ type: type('hear'), on: z.boolean() }).describe("the page plays the IDE's sound"),
  z.object({
    type: type('take'),
    force: z.boolean().describe('even from another person'),
    pause: z.boolean(),
  }),
  z.object({ type: type('give') }),
  z.object({ type: type('ask'), why: z.string().max(longestReason) }),
  z.object({ type: type('withdraw') }),
  z.object({ type: type('let-watch'), on: z.boolean() }),
  z.object({ type: type('private'), on: z.boolean() }).describe('record that something was typed, not what'),
  z.object({ type: type('say'), text }).describe('to the agent that works with this page'),
  z
    .object({ type: type('stop') })
    .describe('no further decisions of the agent until a person sends a message'),
  z.object({ type: type('end') }).describe('the session is over for good'),
  z.object({
    type: type('answer'),
    id: z.string().min(1).max(100),
    how: z.enum(['answered', 'done', 'declined']),
    text: z.string().max(longestAnswer),
  }),
]);
export type ToServer = z.input<typeof pageMessage>;

/** One message of a person or an agent. */
export interface TalkLine {
  /** Counts the lines of the talk. */
  readonly number: number;
  readonly by: 'person' | 'agent';
  readonly from: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The chat of people and an agent. */
export interface Talk {
  /** Name of the agent. */
  readonly agent: string;
  /** It works, waits for a message, or has ended. */
  readonly state: 'works' | 'waits' | 'over';
  /** The last lines, oldest first. */
  readonly lines: readonly TalkLine[];
}

/** The kind of page: only the screen; also marks, state and steps; and also control. */
export type PageKind = 'watch' | 'inspect' | 'pair';

export interface Hello {
  readonly type: 'hello';
  readonly kind: PageKind;
  readonly title: string;
  /** The task; may be empty. */
  readonly brief: string;
  /** Size of the sandbox's screen, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly hasSound: boolean;
  readonly mayControl: boolean;
  readonly isOwner: boolean;
  /** May end the session for all. */
  readonly mayEnd: boolean;
}

/** The data that the page shows besides the screen itself. */
export interface LiveLook {
  readonly sandbox: string;
  /** Screen size in pixels: boxes of marks are in these. */
  readonly width: number;
  readonly height: number;
  readonly seen: DomGlance;
  readonly state: Readonly<Record<string, unknown>>;
}

interface ControlRequest {
  readonly name: string;
  readonly isPerson: boolean;
  readonly isYou: boolean;
  readonly why: string;
}

/** Who has control, from the point of view of one page. */
export interface ControlView {
  /** Null: no person, so agents may act. */
  readonly holder: { readonly name: string; readonly isYou: boolean; readonly letsWatch: boolean } | null;
  /** You hold control only to make agents wait, and do not drive. */
  readonly paused: boolean;
  readonly isPrivate: boolean;
  /** An agent has to look before it may act. */
  readonly lookDue: boolean;
  readonly requests: readonly ControlRequest[];
}

export interface PageQuestion {
  readonly id: string;
  readonly from: string;
  readonly wants: 'answer' | 'hands';
  readonly text: string;
  readonly choices: readonly string[];
  /** ISO 8601. */
  readonly at: string;
}

export type ToPage =
  | Hello
  | { readonly type: 'look'; readonly look: LiveLook }
  | { readonly type: 'steps'; readonly steps: readonly AgentStep[] }
  | { readonly type: 'hands'; readonly hands: ControlView }
  | { readonly type: 'questions'; readonly questions: readonly PageQuestion[] }
  | { readonly type: 'talk'; readonly talk: Talk }
  | { readonly type: 'clipboard'; readonly text: string }
  /** A failure, in words. */
  | { readonly type: 'notice'; readonly text: string }
  /** Why the IDE can't be read; the next look means that it can be read again. */
  | { readonly type: 'trouble'; readonly text: string }
  | { readonly type: 'ended' };

/** The head of a message that has sound: signed 16-bit little-endian samples, of each channel in turn. */
export interface SoundHead {
  readonly rate: number;
  readonly channels: number;
}

/** The head of a message that has pictures; they follow it in their order. */
export interface UpdateHead {
  readonly serial: number;
  /** Media type of each picture, e.g. `image/png`. */
  readonly format: string;
  readonly parts: readonly UpdatePart[];
}

interface UpdatePart extends ScreenPlace {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}
