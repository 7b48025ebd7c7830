import type { ObservationPart } from './parts.ts';

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

const seen = ['picture', 'focus', 'effects'] as const;
const marked = ['picture', 'marks-drawn', 'marks', 'focus', 'effects'] as const;

/** The agents that ask a model, each with a prompt of its name in `prompts/`. */
export const agentKinds: readonly AgentKind[] = [
  {
    name: 'cua',
    about: 'mouse and keyboard alone, from the screen',
    computer: true,
    tools: 'none',
    trained: seen,
    untrained: marked,
    looks: 'always',
  },
  {
    name: 'cua-tools',
    about: 'mouse and keyboard, files and a shell',
    computer: true,
    tools: 'files',
    trained: seen,
    untrained: marked,
    looks: 'after-input',
  },
  {
    name: 'assisted',
    about: "mouse and keyboard, files, a shell, and the IDE's own tools",
    computer: true,
    tools: 'assisted',
    trained: seen,
    untrained: marked,
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
