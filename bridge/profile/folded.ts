import { addUp, badProfile, frame, maxFrames, type Frame, type Profile } from './model.ts';

/** Reads `outer;inner 12`, a stack a line and how many samples it was seen in. */
export function readFolded(text: string): Profile {
  const root = frame('all');
  const below = new Map<Frame, Map<string, Frame>>();
  let count = 0;
  let skipped = 0;
  const childOf = (parent: Frame, name: string): Frame => {
    const known = below.get(parent) ?? new Map<string, Frame>();
    below.set(parent, known);
    const old = known.get(name);
    if (old) return old;
    if (++count > maxFrames) throw badProfile(`the profile has more than ${maxFrames} frames`);
    const fresh = named(name);
    known.set(name, fresh);
    parent.children.push(fresh);
    return fresh;
  };
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^(.*\S)\s+(\d+(?:\.\d+)?)\s*$/.exec(line);
    if (!match) {
      skipped++;
      continue;
    }
    const leaf = (match[1] ?? '').split(';').reduce(childOf, root);
    leaf.self += Number(match[2]);
  }
  if (root.children.length === 0)
    throw badProfile('no line is a stack with a count, such as "main;load;parse 12"');
  addUp(root);
  return { format: 'folded', unit: 'samples', root, skipped };
}

/** py-spy writes `function (file.py:12)`. */
export function named(label: string): Frame {
  const match = /^(.+) \((.+):(\d+)\)$/.exec(label.trim());
  if (!match) return frame(label.trim());
  return frame(match[1] ?? '', { file: match[2] ?? '', line: Number(match[3]) });
}
