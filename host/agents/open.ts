import { PwpError } from '../../bridge/lib/index.ts';
import { hasKey, openModel, openUnasked, type Model } from '../models/index.ts';
import { asksModel, type AgentChoice } from './choose.ts';
import type { ObservationPart } from './model/index.ts';

/** An agent and its model, as a command line or a study writes them. */
export interface AgentSettings {
  readonly agent: string;
  readonly model?: string | undefined;
  readonly tools?: string | undefined;
  readonly observe?: readonly ObservationPart[] | undefined;
  readonly view?: { readonly width: number; readonly height: number } | undefined;
  readonly textOnly?: boolean | undefined;
  readonly temperature?: number | undefined;
  readonly modelSeed?: number | undefined;
  /** A level in the vendor's words, or a number of tokens. */
  readonly thinking?: string | number | undefined;
  readonly maxOutput?: number | undefined;
  readonly computerTool?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly maxPictures?: number | undefined;
  readonly maxContext?: number | undefined;
  /** Ask the model for its answers piece by piece. Default true. */
  readonly stream?: boolean | undefined;
  /** The time limit for one answer of a command, or one try of a model, in seconds. */
  readonly answerTimeout?: number | undefined;
}

export interface OpenAgentOptions {
  /**
   * Called with a model without a key. Its existence is then not checked, and it can take no turn. Default: an error.
   */
  readonly onUnasked?: (model: string) => void;
}

/**
 * Everything that makes an agent, except the task. Its model's name and key are checked at once, before any sandbox
 * starts. The model serves all episodes, and is disposed by the caller. Errors: `usage`; those of {@link openModel} and of
 * `Model.check`.
 */
export async function openAgent(
  settings: AgentSettings,
  options: OpenAgentOptions = {},
): Promise<AgentChoice> {
  const { agent: name, model, tools, observe: parts, view, textOnly, maxPictures, maxContext } = settings;
  if (!asksModel(name)) {
    if (model === undefined)
      return { name, tools, view: view && { within: view }, answerMs: answerMsOf(settings) };
    throw new PwpError('usage', `the agent ${name} does not ask a model`, { help: 'Leave out the model.' });
  }
  return {
    name,
    model: model === undefined ? undefined : await checkedModel(model, settings, options),
    tools,
    parts,
    view: view && { within: view },
    textOnly,
    window: {
      ...(maxPictures !== undefined && { pictures: maxPictures }),
      ...(maxContext !== undefined && { tokens: maxContext }),
    },
  };
}

async function checkedModel(
  name: string,
  settings: AgentSettings,
  { onUnasked }: OpenAgentOptions,
): Promise<Model> {
  const { temperature, modelSeed: seed, thinking, maxOutput, computerTool, baseUrl, stream } = settings;
  const tryMs = answerMsOf(settings);
  const retry = tryMs === undefined ? undefined : { tryMs };
  const set = { temperature, seed, thinking, maxOutput, computerTool, baseUrl, stream, retry };
  if (onUnasked && !hasKey(name)) {
    onUnasked(name);
    return await openUnasked(name, set);
  }
  const model = await openModel(name, set);
  try {
    await model.check();
    return model;
  } catch (error) {
    await model[Symbol.asyncDispose]();
    throw error;
  }
}

function answerMsOf({ answerTimeout }: AgentSettings): number | undefined {
  return answerTimeout === undefined ? undefined : Math.ceil(answerTimeout * 1000);
}
