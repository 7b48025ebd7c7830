/** The parts of the untyped package `x11` that are used here. */
declare module 'x11' {
  type Answer<T> = (error: Error | null | undefined, value: T) => unknown;

  export interface Client {
    on(name: 'error' | 'end', listener: (error?: Error) => void): void;
    terminate(): void;
    QueryTree(window: number, answer: Answer<{ readonly children: readonly number[] }>): void;
    GetGeometry(window: number, answer: Answer<{ readonly width: number; readonly height: number }>): void;
    MoveResizeWindow(window: number, x: number, y: number, width: number, height: number): void;
    SetInputFocus(window: number, revertTo: number): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      answer: Answer<Image>,
    ): void;
    GetInputFocus(answer: Answer<unknown>): void;
  }

  /** Four bytes per pixel on a display of this kind. */
  export interface Image {
    readonly data: Buffer;
  }

  export interface Display {
    readonly screen: readonly { readonly root: number }[];
    readonly client: Client;
  }

  const x11: {
    createClient(options: { readonly display: string }, answer: Answer<Display>): void;
  };
  export default x11;
}
