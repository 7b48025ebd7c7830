/** An import that exists at run time. */
interface RuntimeImport {
  readonly from: string;
  /** Imported names; empty for all, or for an import without names. */
  readonly names: readonly string[];
}

/** Relative imports at the start of lines, without type-only imports. */
export function findImports(text: string): readonly RuntimeImport[] {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, '');
  const statements = code.matchAll(
    /^(?:import|export)\b(?!\s+type\b)([^'"`;()=]*?)['"](\.[^'"]*)['"]|^(?:const|let|var)\b([^'"`;]*?)\brequire\(['"](\.[^'"]*)['"]\)/gm,
  );
  return [...statements].flatMap(([, clause = '', from, , required]): RuntimeImport[] => {
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

/** Whether a module declares all of these names as types: such an import does not exist at run time. */
export function importsTypesOnly(names: readonly string[], text: string): boolean {
  if (names.length === 0) return false;
  const types = [...text.matchAll(/^export\s+(?:declare\s+)?(?:interface|type)\s+([\w$]+)/gm)];
  return names.every((name) => types.some(([, declared]) => declared === name));
}
