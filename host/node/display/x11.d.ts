/** Exactly what is used of the untyped package `x11`. Callbacks that return true keep errors from the client's own event. */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';

  export type Callback<T> = (error: Error | null | undefined, value: T) => unknown;
  export type Done = (error: Error | null | undefined) => unknown;

  export interface Screen {
    readonly root: number;
    readonly pixel_width: number;
    readonly pixel_height: number;
    readonly root_depth: number;
  }

  export interface Display {
    readonly screen: readonly Screen[];
    readonly min_keycode: number;
    readonly max_keycode: number;
    readonly client: Client;
  }

  export interface XEvent {
    readonly name?: string;
    /** Window of a core event. */
    readonly wid?: number;
    readonly damage?: number;
    /** Damage event: the drawn area, in pixels of the screen. */
    readonly area?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    /** MappingNotify: 0 modifier, 1 keyboard, 2 pointer. */
    readonly request?: number;
    readonly message_type?: number;
    readonly data?: readonly number[];
  }

  export interface ClientEvents {
    readonly event: (event: XEvent) => void;
    readonly error: (error: Error) => void;
    readonly end: () => void;
  }

  export interface Client {
    atoms: Readonly<Record<string, number>>;
    on<K extends keyof ClientEvents>(name: K, listener: ClientEvents[K]): void;
    require<K extends keyof Extensions>(name: K, callback: Callback<Extensions[K]>): void;
    terminate(): void;
    AllocID(): number;
    GetInputFocus(callback: Callback<{ readonly focus: number }>): void;
    GetKeyboardMapping(first: number, count: number, callback: Callback<number[][]>): void;
    ChangeKeyboardMapping(first: number, perKeycode: number, keysyms: readonly number[], done: Done): void;
    GetModifierMapping(callback: Callback<number[][]>): void;
    QueryKeymap(callback: Callback<Buffer>): void;
    QueryPointer(
      window: number,
      callback: Callback<{
        readonly rootX: number;
        readonly rootY: number;
        /** Modifiers in the low byte; buttons 1 to 5 from bit 8 on. */
        readonly keyMask: number;
      }>,
    ): void;
    QueryTree(window: number, callback: Callback<{ readonly children: readonly number[] }>): void;
    InternAtom(onlyIfExists: boolean, name: string, callback: Callback<number>): void;
    GetAtomName(atom: number, callback: Callback<string>): void;
    ListProperties(window: number, callback: Callback<number[]>): void;
    ChangeProperty(
      mode: 0,
      window: number,
      property: number,
      type: number,
      format: 32,
      data: readonly number[],
    ): void;
    DeleteProperty(window: number, property: number): void;
    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      border: number,
      depth: number,
      kind: number,
      visual: number,
      values: object,
    ): void;
    GetProperty(
      remove: 0 | 1,
      window: number,
      property: number,
      type: number,
      offset: number,
      length: number,
      callback: Callback<{ readonly format: number; readonly data: Buffer }>,
    ): void;
    ChangeWindowAttributes(window: number, values: { readonly eventMask: number }, done: Done): void;
    SendClientMessage(
      destination: number,
      window: number,
      type: number,
      format: 32,
      data: readonly number[],
      mask: number,
      done: Done,
    ): void;
  }

  export interface XTest {
    readonly KeyPress: number;
    readonly KeyRelease: number;
    readonly ButtonPress: number;
    readonly ButtonRelease: number;
    readonly MotionNotify: number;
    /** @param time milliseconds that the server lets pass first; it reads nothing else of this client meanwhile */
    FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
  }

  export interface Shm {
    /** The server's number of the extension. */
    readonly majorOpcode: number;
    GetImage(
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      format: number,
      segment: number,
      offset: number,
      callback: Callback<{ readonly size: number }>,
    ): void;
  }

  export interface CursorImage {
    /** Hot spot on the screen. */
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly xhot: number;
    readonly yhot: number;
    /** Rows of premultiplied ARGB words. */
    readonly cursorImage: Buffer;
  }

  export interface Fixes {
    QueryVersion(major: number, minor: number, callback: Callback<readonly number[]>): void;
    GetCursorImage(callback: Callback<CursorImage>): void;
  }

  export interface Damage {
    readonly ReportLevel: { readonly BoundingBox: number };
    Create(damage: number, drawable: number, level: number): void;
    Subtract(damage: number, repair: number, parts: number): void;
  }

  export interface Extensions {
    readonly xtest: XTest;
    readonly shm: Shm;
    readonly fixes: Fixes;
    readonly damage: Damage;
  }

  /** The members of a stream that are used. */
  export interface ClientStream extends EventEmitter {
    readonly connecting: boolean;
    readonly readyState: string;
    readonly writableLength: number;
    readonly writableEnded: boolean;
    readonly destroyed: boolean;
    write(bytes: Buffer, done?: () => void): boolean;
    end(): void;
  }

  export interface ClientOptions {
    readonly stream: ClientStream;
    readonly display: string;
    readonly auth: { readonly name: string; readonly data: string };
  }

  const x11: {
    createClient(options: ClientOptions, callback: Callback<Display>): Client;
    readonly eventMask: Readonly<Record<'SubstructureNotify', number>>;
    /** Keysyms under the names of X's own header, e.g. `XK_Return`. */
    readonly keySyms: Readonly<Record<string, { readonly code: number }>>;
  };
  export default x11;
}

declare module 'x11/lib/fdpass.js' {
  import type { Socket } from 'node:net';

  export interface FdSocket extends Socket {
    /** There once it is connected. Descriptors are closed after they were sent. */
    sendFds(bytes: Buffer, fds: readonly number[], done: (error: Error | null) => void): void;
  }

  const fdpass: {
    /** A socket that can carry file descriptors, still connecting; null if this runtime has none. */
    connect(path: string): FdSocket | null;
  };
  export default fdpass;
}
