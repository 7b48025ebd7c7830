import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../lib/index.ts';

/** A kind of agent: its tools, and the parts of an observation that it is shown. */
export interface AgentKind {
  readonly name: string;
  /** One line, for `pwp agents`. */
  readonly about: string;
  /** Whether it has mouse and keyboard. */
  readonly computer: boolean;
  /** Name of its set of tools. */
  readonly tools: string;
  /** Shown if its model has a computer tool of its vendor, which was trained on pictures alone. */
  readonly trained: readonly ObservationPart[];
  /** Shown otherwise. */
  readonly untrained: readonly ObservationPart[];
  /** Whether it is shown the screen after each turn, or only if it has used the mouse or the keyboard in it. */
  readonly looks: 'always' | 'after-input';
}

const trainedParts = ['picture', 'focus', 'effects'] as const;
const untrainedParts = ['picture', 'marks-drawn', 'marks', 'focus', 'effects'] as const;

/** The agents that ask a model, each with a prompt of its name in `prompts/`. */
export const agentKinds: readonly AgentKind[] = [
  {
    name: 'cua',
    about: 'mouse and keyboard alone, from the screen',
    computer: true,
    tools: 'none',
    trained: trainedParts,
    untrained: untrainedParts,
    looks: 'always',
  },
  {
    name: 'cua-tools',
    about: 'mouse and keyboard, files and a shell',
    computer: true,
    tools: 'files',
    trained: trainedParts,
    untrained: untrainedParts,
    looks: 'after-input',
  },
  {
    name: 'assisted',
    about: "mouse and keyboard, files, a shell, and the IDE's own tools",
    computer: true,
    tools: 'assisted',
    trained: trainedParts,
    untrained: untrainedParts,
    looks: 'after-input',
  },
  {
    name: 'bash',
    about: 'a shell and nothing else; pictures of the task are in its prompt',
    computer: false,
    tools: 'bash',
    trained: ['effects'],
    untrained: ['effects'],
    looks: 'after-input',
  },
  {
    name: 'ide',
    about: "the tools of IDE-Bench, by that benchmark's names",
    computer: false,
    tools: 'ide-bench',
    trained: ['effects'],
    untrained: ['effects'],
    looks: 'after-input',
  },
];

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

/** The system prompt of a kind of agent: a file of `host/run/agents/prompts`. */
export async function readSystemPrompt(kind: string): Promise<string> {
  const path = join(packageFolder(), 'host/run/agents/prompts', `${kind}.md`);
  return (await readFile(path, 'utf8')).trim();
}
