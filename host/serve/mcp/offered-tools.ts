import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import type { ServedTool } from './served-tool.ts';
import { familyOf, type ServedFamily, type ServedTools } from './served-tools.ts';

/** The tools of one client: those that it is shown, and those that it may add. */
export class OfferedTools<C> {
  readonly #listed: Map<string, ServedTool<C>>;
  readonly #more: Map<string, ServedTool<C>>;

  constructor({ listed, more }: ServedTools<C>) {
    this.#listed = byName(listed);
    this.#more = byName(more);
  }

  /** As the client lists them. */
  get definitions(): McpTool[] {
    return [...this.#listed.values()].map(({ definition }) => definition);
  }

  /** Whether the client is shown a tool. */
  lists(name: string): boolean {
    return this.#listed.has(name);
  }

  /** Families of the tools that the client may still add. */
  get moreFamilies(): readonly ServedFamily[] {
    return [...new Set([...this.#more.values()].map(familyOf))];
  }

  /** Names of all tools that may be called. */
  get names(): readonly string[] {
    return [...this.#listed.keys(), ...this.#more.keys()];
  }

  /** A tool that may be called, including those that could be added, since not every client reads its list again. */
  find(name: string): ServedTool<C> | undefined {
    return this.#listed.get(name) ?? this.#more.get(name);
  }

  /**
   * Shows the client more tools.
   * @param names families or tools
   * @returns the names that are now shown, or the first name that is neither
   */
  add(names: readonly string[]): { readonly added: readonly ServedTool<C>[] } | { readonly unknown: string } {
    const every = [...this.#listed.values(), ...this.#more.values()];
    const isMeant = (name: string) => (tool: ServedTool<C>) =>
      tool.definition.name === name || familyOf(tool) === name;
    const wrong = names.find((name) => !every.some(isMeant(name)));
    if (wrong !== undefined) return { unknown: wrong };
    const added = every.filter((tool) => names.some((name) => isMeant(name)(tool)));
    for (const tool of added) {
      this.#listed.set(tool.definition.name, tool);
      this.#more.delete(tool.definition.name);
    }
    return { added };
  }
}

function byName<C>(tools: readonly ServedTool<C>[]): Map<string, ServedTool<C>> {
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}
