import type { Tool } from '../../bridge/protocol/index.ts';
import type { Desk } from './desk.ts';

/** A call whose answer is compared with the truth. */
export interface RightCall {
  /** The question, in a few words. */
  readonly what: string;
  /** Calls the tool, and compares its answer with an independent source. Rejects with the differences. */
  readonly check: (desk: Desk) => Promise<void>;
  /** Creates the state that the call is about, before anything is compared. */
  readonly first?: (desk: Desk) => Promise<void>;
  /** Removes that state. */
  readonly last?: (desk: Desk) => Promise<void>;
  /** Why no program can find out the truth here: then only the shape of the answer is compared. */
  readonly shapeOnly?: string;
}

/** A call that a tool must refuse: its arguments mostly fit the schema, but not the state of things. */
export interface WrongCall {
  readonly what: string;
  readonly given: Given | ((desk: Desk) => Given | Promise<Given>);
  /** One of `toolErrorReasons`; `schema`: the arguments do not fit the tool's schema. */
  readonly reason: string;
  /** The thing that is wrong, as the error must name it. */
  readonly names: RegExp;
  /** Creates the state in which the call is wrong, before anything is compared. */
  readonly first?: (desk: Desk) => Promise<void>;
  /** Restores the earlier state. */
  readonly last?: (desk: Desk) => Promise<void>;
}

/** A call whose failure is a result by the tool's contract, such as a command that ends with another exit code than 0. */
export interface FailingCall {
  readonly what: string;
  readonly given: Given;
  /** The answer as a model reads it must contain this: what failed, and why. */
  readonly says: RegExp;
  /** The expected effect, if the intended result of the call did not come about. */
  readonly effect?: 'no-effect' | 'partial';
}

export type Given = Readonly<Record<string, unknown>>;

/** The calls for one tool. */
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
