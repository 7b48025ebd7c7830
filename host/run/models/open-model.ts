import { PwpError } from '../../../bridge/lib/index.ts';
import { readServerAddress } from './model-exchange.ts';
import type { ModelSettings } from './model-settings.ts';
import { type Model, type Vendor, vendors } from './model.ts';
import { ScriptedModel } from './scripted-model.ts';
import { AnthropicModel, ChatModel, GeminiModel, ResponsesModel } from './vendors/index.ts';

/** Where each vendor's key is looked for, in this order. The environment alone: no file of ours contains a key. */
const keyVariables: Readonly<Record<Vendor, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  chat: ['PWP_CHAT_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  scripted: [],
};

/**
 * A model by its name: `claude-sonnet-5`, `openai:gpt-5.4`, `chat:qwen3-vl` (with a base URL), `scripted:turns.jsonl`.
 * Without a written vendor, the beginning of the name decides.
 * Errors: `usage` (no vendor has such names, settings that no model of the vendor's takes), `model-key-missing`,
 * `no-such-model` (a script that does not exist).
 */
export async function openModel(
  name: string,
  given: ModelSettings = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Model> {
  const { vendor, model } = readModelName(name);
  const settings = { ...given, ...(given.baseUrl !== undefined && readServerAddress(given.baseUrl)) };
  switch (vendor) {
    case 'anthropic':
      return new AnthropicModel(model, requireKey(vendor, env), settings);
    case 'openai':
      return new ResponsesModel(model, requireKey(vendor, env), settings);
    case 'gemini':
      return new GeminiModel(model, requireKey(vendor, env), settings);
    case 'chat':
      return openChatModel(model, settings, env);
    case 'scripted':
      return ScriptedModel.read(model);
  }
}

/** Errors: `usage`. */
export function readModelName(name: string): { readonly vendor: Vendor; readonly model: string } {
  const [, written, rest = ''] = /^([a-z]+):(.+)$/s.exec(name) ?? [];
  const vendor = written === undefined ? guessVendor(name) : vendors.find((one) => one === written);
  if (vendor) return { vendor, model: written === undefined ? name : rest };
  throw new PwpError('usage', `unknown model provider for ${JSON.stringify(name)}`, {
    help: `Write the provider before the name, e.g. openai:${name}. Providers: ${vendors.join(', ')}`,
  });
}

function guessVendor(name: string): Vendor | undefined {
  if (name.startsWith('claude-')) return 'anthropic';
  if (name.startsWith('gemini-')) return 'gemini';
  return /^(gpt-|o\d|computer-use-preview|chatgpt-)/.test(name) ? 'openai' : undefined;
}

/** The user runs such servers, and most need no key. */
function openChatModel(model: string, settings: ModelSettings, env: NodeJS.ProcessEnv): Model {
  if (settings.baseUrl === undefined) {
    throw new PwpError('usage', `chat:${model} needs the address of its server`, {
      help: 'For example --base-url http://127.0.0.1:8000/v1',
    });
  }
  return new ChatModel(model, findKey('chat', env) ?? '', settings);
}

/** A model without a key, which is never asked: for facts about it. Errors: as {@link openModel}. */
export function openModelWithoutProbe(name: string, settings: ModelSettings = {}): Promise<Model> {
  const [variable] = keyVariables[readModelName(name).vendor];
  return openModel(name, settings, variable === undefined ? {} : { [variable]: 'none' });
}

/** Whether a model can be asked with the keys of the environment. Errors: `usage`. */
export function hasModelKey(name: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const { vendor } = readModelName(name);
  return vendor === 'chat' || keyVariables[vendor].length === 0 || findKey(vendor, env) !== undefined;
}

function requireKey(vendor: Vendor, env: NodeJS.ProcessEnv): string {
  const key = findKey(vendor, env);
  if (key !== undefined) return key;
  throw new PwpError('model-key-missing', `there is no key for ${vendor}`, {
    help: `Set ${keyVariables[vendor].join(' or ')} in the environment.`,
  });
}

/** Without the line break that copying and `$(cat file)` leave. Errors: `model-key-missing` for an invalid key. */
function findKey(vendor: Vendor, env: NodeJS.ProcessEnv): string | undefined {
  const name = keyVariables[vendor].find((one) => (env[one] ?? '').trim() !== '');
  if (name === undefined) return undefined;
  const key = (env[name] ?? '').trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new PwpError('model-key-missing', `${name} has characters that no key has`, {
    help: 'Blanks, line breaks and quotes of a document are not part of a key.',
  });
}
