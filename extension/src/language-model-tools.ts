import * as vscode from 'vscode';
import {
  findTool,
  listChatToolChoices,
  nameLanguageModelTool,
  renderToolResult,
  type Tool,
  toolError,
  type ToolImage,
} from '../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../bridge/rpc/index.ts';
import { clip } from '../../bridge/text/index.ts';

/**
 * Offers the tools of this window to chats in it: VS Code's own registry has their names and schemas from package.json,
 * which is generated from the same descriptors. A person first confirms a tool that changes something or runs code, when
 * the chat asks.
 */
export function addLanguageModelTools(tools: ToolHandlers): vscode.Disposable {
  const found = tools.definitions.flatMap(({ name }) => findTool(name) ?? []);
  return vscode.Disposable.from(
    ...found.map((tool) =>
      vscode.lm.registerTool(nameLanguageModelTool(tool.name), new ChatTool(tool, tools)),
    ),
  );
}

class ChatTool implements vscode.LanguageModelTool<Record<string, unknown>> {
  readonly #tool: Tool;
  readonly #tools: ToolHandlers;

  constructor(tool: Tool, tools: ToolHandlers) {
    this.#tool = tool;
    this.#tools = tools;
  }

  prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<
    Record<string, unknown>
  >): vscode.PreparedToolInvocation {
    requireChosen(this.#tool);
    const { title, readOnly, runsCode } = this.#tool;
    const invocationMessage = `${title}: ${argumentText(input)}`;
    if (readOnly && !runsCode) return { invocationMessage };
    // Not as Markdown: a model's text must be shown literally.
    const message = new vscode.MarkdownString().appendCodeblock(JSON.stringify(input, null, 2), 'json');
    return { invocationMessage, confirmationMessages: { title, message } };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<Record<string, unknown>>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    requireChosen(this.#tool);
    using given = cancelling(token);
    const { name } = this.#tool;
    const { result, images } = await this.#tools.call({ name, arguments: input }, given.signal);
    const text = renderToolResult(this.#tool, this.#tool.output.parse(result));
    return new vscode.LanguageModelToolResult([
      new vscode.LanguageModelTextPart(text),
      ...images.flatMap(imagePart),
    ]);
  }
}

/**
 * Tools that were not chosen are not offered to VS Code's own chats, by `when` in package.json; chats of other extensions
 * see all tools. Errors: `not-supported`.
 */
function requireChosen({ name }: Tool): void {
  const choice = vscode.workspace.getConfiguration('pwp').get('chatTools', 'off');
  if (listChatToolChoices(name).includes(choice)) return;
  throw toolError('not-supported', `${name} is not offered to chats`, {
    help: 'Its user can offer it, by the setting pwp.chatTools',
  });
}

/** Models don't accept SVG as a picture; older versions of VS Code have no pictures at all. */
function imagePart({ mime, base64 }: ToolImage): vscode.LanguageModelDataPart[] {
  if (mime === 'image/svg+xml' || !('LanguageModelDataPart' in vscode)) return [];
  return [vscode.LanguageModelDataPart.image(Buffer.from(base64, 'base64'), mime)];
}

function argumentText(input: Record<string, unknown>): string {
  const text = JSON.stringify(input);
  return text.length > 200 ? `${clip(text, 200)}…` : text;
}

function cancelling(token: vscode.CancellationToken): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  return { signal: controller.signal, [Symbol.dispose]: () => void listening.dispose() };
}
