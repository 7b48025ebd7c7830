import * as vscode from 'vscode';
import type { searchTools, ToolInput, ToolOutput } from '../../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../../bridge/rpc/index.ts';
import { clip } from '../../../lib/index.ts';
import { ask, asking, refuseUnserved } from '../../code/index.ts';
import { positionAt } from './named.ts';

type Hover = typeof searchTools.hover;
const most = 50_000;

export async function hover(input: ToolInput<Hover>, { signal }: ToolContext): Promise<ToolOutput<Hover>> {
  const { document, position } = await positionAt(input, input.timeout_ms, signal);
  const command = 'vscode.executeHoverProvider';
  const answer = await asking(document, input.timeout_ms, signal, (how) =>
    ask<readonly vscode.Hover[] | undefined>(command, how, document.uri, position),
  );
  const found = answer ?? [];
  if (found.length === 0) refuseUnserved(document);
  const contents = found
    .flatMap((one) => one.contents.map(markdownOf))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
  return { contents: clip(contents, most), truncated: contents.length > most };
}

function markdownOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  if (typeof content === 'string') return content;
  if (content instanceof vscode.MarkdownString) return content.value;
  return `\`\`\`${content.language}\n${content.value}\n\`\`\``;
}
