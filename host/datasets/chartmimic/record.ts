import * as z from 'zod';

const path = z.string().min(1).max(1000);

/** A line of `test.jsonl`, as its owners publish it. Paths are relative to the file; only their last two parts count. */
export const chartmimicRecord = z.object({
  Task: z.enum(['Direct Mimic', 'Customized Mimic']),
  ExampleID: z.string().regex(/^\w+$/, 'expected letters, digits and underscores').describe('e.g. bar_12'),
  Instruction: z.string().min(1),
  InputFigure: path.regex(/\.png$/, 'expected the path of a PNG').describe('the chart that the agent sees'),
  GroundTruthFigureCode: path
    .regex(/\.py$/, 'expected the path of a Python file')
    .describe('the script that draws what is expected'),
});

/** A chart to draw. */
export interface Chart {
  /** Unique, e.g. `direct/bar_12`. */
  readonly id: string;
  /** Text of the record's own; null where the task is just to copy the chart. */
  readonly wishes: string | null;
  /** Absolute paths. */
  readonly picture: string;
  readonly script: string;
}
