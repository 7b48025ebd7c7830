/** The parts of an observation that a model is shown. Each can be left out, to measure what it is worth. */
export const observationParts = [
  /** The screen. */
  'picture',
  /** Marks drawn into that picture. */
  'marks-drawn',
  /** Marks as a list: number, role, name, box, value. */
  'marks',
  /** The title, and the element that has the keyboard. */
  'focus',
  /** The area in which the screen differs from the one before. */
  'changed',
  /** Effect and evidence of each action. Without it the model sees only refusals and the answers of tools. */
  'effects',
  /** Errors and warnings that VS Code shows. */
  'problems',
] as const;
export type ObservationPart = (typeof observationParts)[number];
