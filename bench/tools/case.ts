import type { Tool } from '../../bridge/protocol/index.ts';
import type { Desk } from './desk.ts';

/** A call whose answer is compared with the truth. */
export interface RightCall {
  /** What is asked, in a few words. */
  readonly what: string;
  /** Calls the tool, and compares its answer with what another way shows. Rejects with what differs. */
  readonly check: (desk: Desk) => Promise<void>;
  /** What the call is about; it is made before anything is compared. */
  readonly first?: (desk: Desk) => Promise<void>;
  /** Takes that back. */
  readonly last?: (desk: Desk) => Promise<void>;
  /** Why no program can tell the truth here: then only the shape of the answer is compared. */
  readonly shapeOnly?: string;
}

/** A call that a tool must not carry out: its arguments fit the schema, mostly, and not the world. */
export interface WrongCall {
  readonly what: string;
  readonly given: Given | ((desk: Desk) => Given | Promise<Given>);
  /** One of `toolErrorReasons`; `schema`: the arguments do not fit the tool's schema. */
  readonly reason: string;
  /** The thing that is wrong, as the error must name it. */
  readonly names: RegExp;
  /** The state that the call is wrong in; it is made before anything is compared. */
  readonly first?: (desk: Desk) => Promise<void>;
  /** Takes that state back. */
  readonly last?: (desk: Desk) => Promise<void>;
}

/** A call whose failure is a result by the tool's contract, such as a command that ends with another exit code than 0. */
export interface FailingCall {
  readonly what: string;
  readonly given: Given;
  /** The answer as a model reads it must have it: what failed, and why. */
  readonly says: RegExp;
  /** What the effect must be, where the call was for something that did not come about. */
  readonly effect?: 'no-effect' | 'partial';
}

export type Given = Readonly<Record<string, unknown>>;

/** What is tried with one tool. */
export interface ToolCase {
  readonly tool: Tool;
  readonly right: readonly RightCall[];
  readonly wrong: readonly WrongCall[];
  readonly failing?: readonly FailingCall[];
}

/** A right call, as families write it. */
export function right(
  what: string,
  check: RightCall['check'],
  more: Pick<RightCall, 'first' | 'last' | 'shapeOnly'> = {},
): RightCall {
  return { what, check, ...more };
}

/** A wrong call, as families write it. */
export function wrong(
  what: string,
  given: WrongCall['given'],
  reason: string,
  names: RegExp,
  around: Pick<WrongCall, 'first' | 'last'> = {},
): WrongCall {
  return { what, given, reason, names, ...around };
}
