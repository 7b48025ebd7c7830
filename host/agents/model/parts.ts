/** What of an observation a model is shown. Each can be left out, to see what it is worth. */
export const observationParts = [
  /** The screen. */
  'picture',
  /** Marks drawn into that picture. */
  'marks-drawn',
  /** Marks as a list: number, role, name, box, value. */
  'marks',
  /** Title, and what has the keyboard. */
  'focus',
  /** Where the screen differs from the one before. */
  'changed',
  /** Effect and evidence of each action. Without it the model learns only what was refused and what a tool answered. */
  'effects',
  /** Errors and warnings that VS Code shows. */
  'problems',
] as const;
export type ObservationPart = (typeof observationParts)[number];
