/** An import that is there when the program runs. */
interface Import {
  readonly from: string;
  /** Names that it takes; empty for all, or none. */
  readonly names: readonly string[];
}

/** Relative imports at the start of lines, but for those of types alone. */
export function importsIn(text: string): readonly Import[] {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, '');
  const statements = code.matchAll(
    /^(?:import|export)\b(?!\s+type\b)([^'"`;()=]*?)['"](\.[^'"]*)['"]|^(?:const|let|var)\b([^'"`;]*?)\brequire\(['"](\.[^'"]*)['"]\)/gm,
  );
  return [...statements].flatMap(([, clause = '', from, , required]): Import[] => {
    if (required !== undefined) return [{ from: required, names: [] }];
    if (from === undefined) return [];
    const only = /^\s*\{([^}]*)\}/.exec(clause)?.[1];
    if (only === undefined) return [{ from, names: [] }];
    const names = only
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const values = names.filter((name) => !name.startsWith('type '));
    if (names.length > 0 && values.length === 0) return [];
    return [{ from, names: values.map((name) => name.split(/\s/, 1)[0] ?? name) }];
  });
}

/** Whether a module declares all of these names as types: nothing of such an import is left when it runs. */
export function isTypes(names: readonly string[], text: string): boolean {
  if (names.length === 0) return false;
  const types = [...text.matchAll(/^export\s+(?:declare\s+)?(?:interface|type)\s+([\w$]+)/gm)];
  return names.every((name) => types.some(([, declared]) => declared === name));
}
