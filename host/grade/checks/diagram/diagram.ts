/** A diagram as people see it: what is drawn, what it says, what points where. */
export interface Diagram {
  readonly shapes: readonly Shape[];
  readonly arrows: readonly Arrow[];
}

export interface Shape {
  readonly id: string;
  /** `rectangle`, `rounded`, `ellipse`, `diamond`, `cylinder`, `text`, `image`, or draw.io's own word for others. */
  readonly kind: string;
  /** As plain text, white space joined. */
  readonly label: string;
  /** The middle, in the diagram's pixels; y grows downwards. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Arrow {
  /** Id of a shape; undefined if this end is not at a shape. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly label: string;
  /**
   * Heads: at `to`, at both ends, or without a head. A head at the source alone is reported as an arrow the other way.
   */
  readonly heads: 'to' | 'both' | 'none';
}
