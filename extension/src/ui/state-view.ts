import * as vscode from 'vscode';
import { messageOf } from '../../../bridge/lib/index.ts';
import type { StatePart } from '../../../bridge/protocol/index.ts';
import { treeItem, type Row } from './row.ts';
import { sections, type Ask, type Section } from './sections.ts';

/** A section while it is in the tree: its rows are read when it is opened. */
interface Opened extends Row {
  readonly section: Section;
}

/** The IDE's state as a tree. Each part is read when it is opened, and again when it has changed. */
export class StateView implements vscode.TreeDataProvider<Row | Opened> {
  readonly #ask: Ask;
  readonly #changed = new vscode.EventEmitter<Opened[] | undefined>();
  readonly #top: readonly Opened[] = sections.map((section) => ({
    section,
    label: section.label,
    icon: section.icon,
    rows: [],
  }));

  /** The sections that were opened once: others show nothing that could change. */
  readonly #opened = new Set<Section>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** @param parts those that have changed; default: all */
  refresh(parts?: ReadonlySet<StatePart>): void {
    const stale = this.#top.filter(
      ({ section }) => this.#opened.has(section) && section.parts.some((part) => parts?.has(part) ?? true),
    );
    if (stale.length > 0) this.#changed.fire(stale);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return treeItem(row);
  }

  async getChildren(row?: Row | Opened): Promise<Row[]> {
    if (!row) return [...this.#top];
    if (!('section' in row)) return [...(row.rows ?? [])];
    this.#opened.add(row.section);
    return [...(await this.#read(row.section))];
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #read({ read, none }: Section): Promise<readonly Row[]> {
    try {
      const rows = await read(this.#ask);
      return rows.length > 0 ? rows : [{ label: none, icon: 'blank' }];
    } catch (error) {
      return [{ label: messageOf(error), icon: 'error:problemsErrorIcon.foreground' }];
    }
  }
}
