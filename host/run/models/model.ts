import type { Cancellable } from '../../../bridge/lib/index.ts';
import { isJsonObject } from '../../../bridge/text/index.ts';
import type { RequestTry, WireExchange } from './model-exchange.ts';
import type { TokenUsage } from './token-usage.ts';

/** Whose API a model is asked by. `chat`: any server that speaks OpenAI's Chat Completions. */
export const vendors = ['anthropic', 'openai', 'chat', 'gemini', 'scripted'] as const;
export type Vendor = (typeof vendors)[number];
/** A vendor's model, or a client of ours in a model's place. */
export type ModelSource = Vendor | 'client';

/** A model that takes turns in a conversation. One instance serves any number of conversations at once. */
export interface Model extends AsyncDisposable {
  /** As its vendor calls it, e.g. `claude-sonnet-5`. */
  readonly name: string;
  readonly vendor: ModelSource;
  /** Whether it has a computer tool of its vendor's. One that has none gets mouse and keyboard as function tools. */
  readonly hasComputer: boolean;
  /** Each result of its computer tool must have a picture, in all of the conversation. */
  readonly needsPictures: boolean;
  /** Requested settings that this model does not take, e.g. `seed`. */
  readonly notSet: readonly string[];
  /**
   * Whether the model can be asked: the key is there and right, and the name exists. Errors: `model-key-missing`,
   * `model-denied`, `no-such-model`, `model-unavailable`.
   */
  check(options?: Cancellable): Promise<void>;
  /**
   * One turn of the model. Failures that can be retried are retried, as the retry settings say; every try is in the
   * answer, or in the error's {@link tries}. Errors: `model-key-missing`, `model-denied`, `no-such-model`,
   * `model-refused-request` (it will not take this conversation), `model-too-long`, `model-filtered` (a filter of its
   * vendor's refuses the conversation), `model-no-credit`, `model-redirected`, `model-unavailable` (all tries failed),
   * `model-answer` (no try gave a whole answer).
   */
  turn(request: TurnRequest, options?: TurnOptions): Promise<ModelTurn>;
}

export interface TurnOptions extends Cancellable {
  /**
   * Called before each wait that the server imposes, for another try or for its turn among others that ask it; the
   * result is disposed when that is over.
   */
  readonly onWait?: (() => Disposable) | undefined;
  /** Called with the tries so far where the signal ends the turn: what they took is paid for, too. */
  readonly onCut?: ((tries: readonly RequestTry[]) => void) | undefined;
}

/** Everything that is sent to a model. Messages are never changed once they were sent: agents append. */
export interface TurnRequest {
  readonly system: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly FunctionTool[];
  /** Offers the vendor's own computer tool for a screen of this size in pixels: that of the pictures. Default: none. */
  readonly computer?: { readonly width: number; readonly height: number } | undefined;
  /** Something that an earlier request had, such as older pictures, is left out. Default false. */
  readonly shortened?: boolean;
  /**
   * Most tokens of its output, where its server has room for fewer than usual. Default: as the model's settings say.
   */
  readonly maxOutput?: number | undefined;
}

export type ConversationMessage =
  | { readonly role: 'user'; readonly content: readonly MessageContent[] }
  | ModelMessage
  | {
      readonly role: 'results';
      readonly results: readonly CallResult[];
      /** A person's words beside them. There may be no results then: the model's last turn was words alone. */
      readonly said?: readonly MessageContent[] | undefined;
    };

export type MessageContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly bytes: Uint8Array; readonly mime: ImageMime };

export type ImageMime = 'image/png' | 'image/jpeg' | 'image/webp';

/**
 * A model's answer. `verbatim` is its vendor's form and goes back as it came, signatures included, except for parts
 * that the vendor refuses to take back: a thought that was cut, a text without words, half of a call. It may be empty.
 */
interface ModelMessage {
  readonly role: 'model';
  readonly blocks: readonly AnswerBlock[];
  readonly verbatim: unknown;
}

export type AnswerBlock =
  | { readonly kind: 'text'; readonly text: string }
  /** A summary, or nothing where the vendor keeps it to itself. */
  | { readonly kind: 'thinking'; readonly text: string }
  | FunctionCall
  | ModelComputerCall;

export interface FunctionCall {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  /** Null where the model's text is not a JSON object; see `written`. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  /** The arguments as the model wrote them, where they can't be read. */
  readonly written?: string | undefined;
}

/** A call of the vendor's own computer tool. */
export interface ModelComputerCall {
  readonly kind: 'computer';
  readonly id: string;
  /**
   * In the vendor's words, in order: `{action: 'left_click', coordinate}` (Anthropic), `{type: 'click', x, y}` (OpenAI),
   * `{function: 'click', x, y}` in thousandths of the screen (Gemini).
   */
  readonly actions: readonly Readonly<Record<string, unknown>>[];
  /** Checks that the vendor wants acknowledged before it goes on. */
  readonly safetyChecks: readonly SafetyCheck[];
}

interface SafetyCheck {
  readonly id: string;
  readonly message: string;
}

/** The result of one call. Every call of a turn has exactly one, in the order of the calls. */
export interface CallResult {
  /** Id of the call. */
  readonly id: string;
  /** It answers a call of the vendor's computer tool. Default false. */
  readonly ofComputer?: boolean | undefined;
  readonly failed: boolean;
  /** For a computer call, one picture at least, also where it failed: some vendors want to see the screen each time. */
  readonly content: readonly MessageContent[];
  /** The call's safety checks that a person acknowledges. Default: none. */
  readonly acknowledged?: readonly SafetyCheck[] | undefined;
}

/** A tool with a JSON schema. */
export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelTurn {
  readonly message: ModelMessage;
  /**
   * Why it stopped: `end` (it has said what it had to), `calls` (it waits for results), `length` (cut at the limit of
   * tokens), `refusal` (it, or a filter of the vendor's, will not).
   */
  readonly stop: 'end' | 'calls' | 'length' | 'refusal';
  readonly usage: TokenUsage;
  /** The request and the answer as they were sent. */
  readonly exchange: WireExchange;
  /** All tries, the last one successful. */
  readonly tries: readonly RequestTry[];
  /** Milliseconds of the successful try. */
  readonly ms: number;
}

/** The texts and pictures of a message that did not come from the model. */
export function collectContents(message: ConversationMessage): readonly MessageContent[] {
  switch (message.role) {
    case 'user':
      return message.content;
    case 'results':
      return [...message.results.flatMap(({ content }) => content), ...(message.said ?? [])];
    case 'model':
      return [];
  }
}

/** Bytes as vendors want them in JSON. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** A picture as a URL that has it all in it. */
export function encodeDataUrl({ bytes, mime }: Extract<MessageContent, { kind: 'image' }>): string {
  return `data:${mime};base64,${encodeBase64(bytes)}`;
}

type CallArguments = Pick<FunctionCall, 'arguments' | 'written'>;

/** The arguments of a call where a vendor gives an object. */
export function toCallArguments(value: unknown): CallArguments {
  if (isJsonObject(value)) return { arguments: value };
  return { arguments: null, written: JSON.stringify(value) ?? '' };
}

/** The same where it gives JSON as the model wrote it. An empty text is an empty object. */
export function parseCallArguments(text: string): CallArguments {
  if (text.trim() === '') return { arguments: {} };
  try {
    const given = toCallArguments(JSON.parse(text));
    return given.arguments ? given : { arguments: null, written: text };
  } catch {
    return { arguments: null, written: text };
  }
}

/** A name that every vendor takes back. A model may call a tool that does not exist, and the call is still answered. */
export function toSendableName(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Text for servers that refuse one without words. */
export function toSendableText(text: string): string {
  return text.trim() === '' ? '(blank)' : text;
}
