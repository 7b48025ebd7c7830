import type Anthropic from '@anthropic-ai/sdk';
import { base64, type CallResult, type Content, type Message } from '../model.ts';
import { sentText } from '../names.ts';

type Param = Anthropic.MessageParam;
type ContentParam = Anthropic.ContentBlockParam;

/**
 * A conversation as the Messages API takes it: turns alternate, and the results of calls come first in theirs.
 * @param toolset whether calls of the computer are those of a toolset
 */
export function toMessages(messages: readonly Message[], toolset: boolean): Param[] {
  const params: { readonly role: 'user' | 'assistant'; readonly content: ContentParam[] }[] = [];
  let members = new Set<string>();
  for (const message of messages) {
    if (message.role === 'model') {
      const content = message.verbatim as ContentParam[];
      if (content.length > 0) params.push({ role: 'assistant', content });
      members = new Set(message.blocks.flatMap((one) => (one.kind === 'computer' ? [one.id] : [])));
      continue;
    }
    const content =
      message.role === 'user'
        ? message.content.map(toBlock)
        : [
            ...message.results.map((result) => toResult(result, toolset && members.has(result.id))),
            ...message.results.flatMap(picturesOfFailed).map(toBlock),
            ...(message.said ?? []).map(toBlock),
          ];
    const last = params.at(-1);
    if (last?.role === 'user') last.content.push(...content);
    else params.push({ role: 'user', content });
  }
  return params;
}

/** The result of a failure has text alone. The model still sees its pictures: after all results. */
function picturesOfFailed({ failed, content }: CallResult): Content[] {
  return failed ? content.filter(({ kind }) => kind === 'image') : [];
}

function toBlock(content: Content): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
  if (content.kind === 'text') return { type: 'text', text: sentText(content.text) };
  const { bytes, mime } = content;
  return { type: 'image', source: { type: 'base64', media_type: mime, data: base64(bytes) } };
}

function toResult({ id, failed, content }: CallResult, member: boolean): Anthropic.ToolResultBlockParam {
  const shown = content.filter(({ kind }) => !failed || kind === 'text').map(toBlock);
  return {
    type: 'tool_result',
    tool_use_id: id,
    // A failure without words is refused.
    content: failed && shown.length === 0 ? [toBlock({ kind: 'text', text: '' })] : shown,
    ...(failed && { is_error: true }),
    ...(member && { toolset_name: 'computer' }),
  };
}
