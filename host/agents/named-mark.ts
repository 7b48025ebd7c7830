import type { Action, Observation } from '../env/index.ts';

/** As in `click [button "Save"]`: role and name, where agents write a number. */
const named = /\[([a-z]+) ("(?:[^"\\]|\\.)*")\]/g;
const verbs = /^(?:click|double_click|triple_click|right_click|middle_click|hover|drag|scroll|type)\b/;

type Named = Pick<Observation['marks'][number], 'role' | 'name'>;

/** A mark in a line of a solution, which is right in every window size. */
export function namedMark({ role, name }: Named): string {
  return `[${role} ${JSON.stringify(name)}]`;
}

/** A line of a solution with the numbers of the marks that it names. Refused unless exactly one mark has the name. */
export function numberedLine(line: string, marks: Observation['marks']): string | Action {
  if (!verbs.test(line)) return line;
  let why: string | undefined;
  const numbered = line.replaceAll(named, (whole, role: string, written: string) => {
    const name = JSON.parse(written) as string;
    const found = marks.filter((mark) => mark.role === role && mark.name === name);
    const [only] = found;
    if (only && found.length === 1) return `[${only.id}]`;
    why ??= `${found.length === 0 ? 'no mark is' : `${found.length} marks are`} a ${whole}`;
    return whole;
  });
  return why === undefined ? numbered : { kind: 'unreadable', line, why };
}
