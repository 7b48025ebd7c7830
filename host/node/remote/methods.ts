import {
  agent,
  desktop,
  dom,
  ide,
  shell,
  sound,
  toolMethods,
  workspace,
  type Event,
  type Method,
} from '../../../bridge/protocol/index.ts';

/** All that a bridge answers, by name: what a node passes on. */
const methods = new Map<string, Method>(
  [agent, desktop, dom, ide, shell, sound, toolMethods, workspace]
    .flatMap((group) => Object.values<Method | Event>(group))
    .filter((entry) => 'name' in entry)
    .map((method) => [method.name, method]),
);

/** Undefined for what no bridge answers. */
export function bridgeMethod(name: string): Method | undefined {
  return methods.get(name);
}
