import type OpenAI from 'openai';
import { parsedObject } from '../arguments.ts';
import { dataUrl, type Block, type CallResult, type Content, type Message } from '../model.ts';

type Input = OpenAI.Responses.ResponseInputItem;
type Part = OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage;

/** A conversation as the Responses API takes it. */
export function toInput(messages: readonly Message[]): Input[] {
  let calls: readonly Block[] = [];
  return messages.flatMap((message): Input[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: message.content.map(toPart) }];
      case 'model':
        calls = message.blocks;
        return message.verbatim as Input[];
      case 'results':
        return [
          ...message.results.flatMap((result) => toOutput(result, isComputer(calls, result))),
          ...toUser(message.said),
        ];
    }
  });
}

function toUser(said: readonly Content[] = []): Input[] {
  return said.length > 0 ? [{ role: 'user', content: said.map(toPart) }] : [];
}

function isComputer(calls: readonly Block[], { id }: CallResult): boolean {
  return calls.some((call) => call.kind === 'computer' && call.id === id);
}

/** A computer call is answered by one picture; what is said besides goes after it. */
function toOutput({ id, content, acknowledged = [] }: CallResult, computer: boolean): Input[] {
  if (!computer) return [{ type: 'function_call_output', call_id: id, output: content.map(toPart) }];
  const picture = content.findLast(({ kind }) => kind === 'image');
  const said = content.filter((one) => one !== picture);
  return [
    {
      type: 'computer_call_output',
      call_id: id,
      output: {
        type: 'computer_screenshot',
        ...(picture?.kind === 'image' && { image_url: dataUrl(picture) }),
      },
      ...(acknowledged.length > 0 && { acknowledged_safety_checks: acknowledged.map((one) => ({ ...one })) }),
    },
    ...(said.length > 0 ? [{ role: 'user' as const, content: said.map(toPart) }] : []),
  ];
}

function toPart(content: Content): Part {
  if (content.kind === 'text') return { type: 'input_text', text: content.text };
  return { type: 'input_image', image_url: dataUrl(content), detail: 'auto' };
}

/** What a model said. Items of kinds that mean nothing here are left out. */
export function toBlocks(output: readonly OpenAI.Responses.ResponseOutputItem[]): Block[] {
  return output.flatMap((item): Block[] => {
    switch (item.type) {
      case 'message':
        return item.content.map((part) => ({
          kind: 'text',
          text: part.type === 'output_text' ? part.text : part.refusal,
        }));
      case 'reasoning':
        return [{ kind: 'thinking', text: item.summary.map(({ text }) => text).join('\n') }];
      case 'function_call':
        return [{ kind: 'call', id: item.call_id, name: item.name, ...parsedObject(item.arguments) }];
      case 'computer_call':
        return [toComputer(item)];
      default:
        return [];
    }
  });
}

/** The newer form has a list of actions, the older one a single one. */
function toComputer(item: OpenAI.Responses.ResponseComputerToolCall): Block {
  const actions = item.actions ?? (item.action ? [item.action] : []);
  return {
    kind: 'computer',
    id: item.call_id,
    actions: actions.map((action) => ({ ...action })),
    safetyChecks: item.pending_safety_checks.map(({ id, message }) => ({ id, message: message ?? '' })),
  };
}
