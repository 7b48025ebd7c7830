import type { Box } from '../../../bridge/protocol/index.ts';
import { joinedBoxes } from './changes.ts';

/** Changes that are kept: of several seconds in which everything moves. */
const most = 200;

/** Where a screen changed, by the serial that each change led to. */
export class History {
  readonly #screen: Pick<Box, 'width' | 'height'>;
  #first: number;
  #changes: (readonly Box[])[] = [];

  /** @param serial the first, before any change */
  constructor(screen: Pick<Box, 'width' | 'height'>, serial: number) {
    this.#screen = screen;
    this.#first = serial;
  }

  get serial(): number {
    return this.#first + this.#changes.length;
  }

  /** Notes a change, which gets the next serial. */
  add(boxes: readonly Box[]): void {
    this.#changes.push(boxes);
    if (this.#changes.length <= most) return;
    this.#changes = this.#changes.slice(-most / 2);
    this.#first += most - this.#changes.length + 1;
  }

  /** The boxes that hold all changes since a serial; the whole screen if these changes are not known. */
  since(serial: number | undefined): Box[] {
    if (serial === undefined || serial < this.#first || serial > this.serial)
      return [{ x: 0, y: 0, width: this.#screen.width, height: this.#screen.height }];
    return joinedBoxes(this.#changes.slice(serial - this.#first).flat(), this.#screen);
  }
}
