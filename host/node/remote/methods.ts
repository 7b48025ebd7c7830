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

/** The methods of the bridge, by name: a node passes them on. */
const methods = new Map<string, Method>(
  [agent, desktop, dom, ide, shell, sound, toolMethods, workspace]
    .flatMap((group) => Object.values<Method | Event>(group))
    .filter((entry) => 'name' in entry)
    .map((method) => [method.name, method]),
);

/** Undefined for a name that is not a method of the bridge. */
export function bridgeMethod(name: string): Method | undefined {
  return methods.get(name);
}
