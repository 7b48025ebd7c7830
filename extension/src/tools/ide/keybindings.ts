import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  toolError,
  type ideTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { defaultsText } from '../../state/index.ts';
import { normalKey, resolveRules, rulesIn, unknownModifier, type Rule } from './keybinding-rules.ts';

type List = typeof ideTools.listKeybindings;

export async function listKeybindings(
  { command = '', key, limit }: ToolInput<List>,
  _: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<List>> {
  const unknown = key === undefined ? undefined : unknownModifier(key);
  if (unknown !== undefined)
    throw toolError(
      'bad-arguments',
      `${unknown} in ${key} is not a modifier: they are ctrl, shift, alt and meta`,
    );
  const user = rulesIn(await userText(vscode.Uri.joinPath(profile, 'keybindings.json').fsPath));
  const { rules, removed } = resolveRules(rulesIn(await defaultsText('keybindings.json')), user);
  const wanted = key === undefined ? undefined : normalKey(key);
  const fits = (rule: Rule) =>
    rule.command.toLowerCase().includes(command.toLowerCase()) &&
    (wanted === undefined || rule.key === wanted || rule.key.startsWith(`${wanted} `));
  const found = rules.filter(fits);
  return {
    keybindings: found.slice(0, limit).map(plain),
    total: found.length,
    removed: removed.filter(fits).slice(0, 500).map(plain),
    truncated: found.length > limit,
  };
}

function plain({ key, command, when, args, source }: Rule): ToolOutput<List>['keybindings'][number] {
  return {
    key: clipText(key),
    command: clipText(command),
    when: clipText(when),
    ...(args !== undefined && { arguments: args }),
    source,
  };
}

/** Empty if the user has none. */
async function userText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
