import type { AgentStep, DomGlance } from '../../../../bridge/protocol/index.ts';

/** Keys that are held while others are pressed. */
export type Modifier = 'shift' | 'ctrl' | 'alt' | 'meta';

/** A point, in pixels of the sandbox's screen. */
export interface ScreenPlace {
  readonly x: number;
  readonly y: number;
}

/** A stroke of a key, as `KeyboardEvent` has it. */
export interface KeyStroke {
  readonly key: string;
  readonly code: string;
  readonly held: readonly Modifier[];
  /** AltGr chose the sign: Control and Alt, which some systems report with it, are not a shortcut. */
  readonly altGraph: boolean;
}

/** The input of a person in control of the sandbox. */
export type InputMessage =
  | ({ readonly type: 'move' } & ScreenPlace)
  | ({ readonly type: 'button'; readonly button: number; readonly down: boolean } & ScreenPlace)
  /** Turns of the wheel, down and to the right above 0. */
  | ({ readonly type: 'wheel'; readonly across: number; readonly down: number } & ScreenPlace)
  | ({ readonly type: 'key' } & KeyStroke)
  | { readonly type: 'modifier'; readonly modifier: Modifier; readonly down: boolean }
  /** Text of an input method, a dead key or a touch keyboard. */
  | { readonly type: 'text'; readonly text: string }
  /** Puts text into the sandbox's clipboard and pastes it; with Shift, as in terminals. */
  | { readonly type: 'paste'; readonly text: string; readonly shift: boolean }
  /** Cuts or copies, then sends what the clipboard has. */
  | { readonly type: 'copy'; readonly cut: boolean; readonly shift: boolean }
  /** Releases all keys and buttons. */
  | { readonly type: 'release' };

export type ToServer =
  | InputMessage
  /** The page can draw the next change. */
  | { readonly type: 'next'; readonly after: number | null }
  /** The page plays the IDE's sound. */
  | { readonly type: 'hear'; readonly on: boolean }
  /** @param force take it even from another person */
  | { readonly type: 'take'; readonly force: boolean; readonly pause: boolean }
  | { readonly type: 'give' }
  | { readonly type: 'ask'; readonly why: string }
  | { readonly type: 'withdraw' }
  | { readonly type: 'let-watch'; readonly on: boolean }
  /** Record that something was typed, but not what. */
  | { readonly type: 'private'; readonly on: boolean }
  /** Sends a message to the agent that works with this page. */
  | { readonly type: 'say'; readonly text: string }
  /** The agent makes no further decisions until a person sends a message. */
  | { readonly type: 'stop' }
  /** The session is over for good. */
  | { readonly type: 'end' }
  | {
      readonly type: 'answer';
      readonly id: string;
      readonly how: 'answered' | 'done' | 'declined';
      readonly text: string;
    };

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
