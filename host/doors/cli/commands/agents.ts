import type { Command } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { agentKinds, agentNames, readSystemPrompt, readToolSet } from '../../../run/index.ts';
import { print } from '../output.ts';
import { formatTable } from '../tables.ts';

export function addAgentsCommand(program: Command): void {
  const agents = program.command('agents').description('the agents that can be run');
  agents
    .command('list')
    .description('list them')
    .option('--json', 'print as JSON')
    .action(({ json }: { json?: true }) => {
      print(listedAgents, json ?? false, () =>
        formatTable([
          ['AGENT', 'MODEL', 'TOOLS', 'ABOUT'],
          ...listedAgents.map((one) => [one.agent, one.model, one.tools, one.about]),
        ]),
      );
    });
  agents
    .command('show')
    .description("show the system prompt and the tools of an agent's model")
    .argument('<name>', agentKinds.map(({ name }) => name).join(', '))
    .option('--tools <set>', 'show another set of tools')
    .option('--json', 'print as JSON')
    .action(showAgent);
}

const scriptedAgents: Readonly<Record<string, string>> = {
  null: 'does nothing: the floor of every task',
  oracle: "plays a task's shell solution, or its tool calls",
  'oracle-gui': "plays a task's solution by mouse and keyboard",
};

const listedAgents = agentNames.map((agent) => {
  const kind = agentKinds.find(({ name }) => name === agent);
  return {
    agent,
    model: kind ? 'needed' : 'none',
    tools: kind?.tools ?? '',
    about: kind?.about ?? scriptedAgents[agent] ?? '',
  };
});

async function showAgent(name: string, { tools, json }: { tools?: string; json?: true }): Promise<void> {
  const kind = agentKinds.find((one) => one.name === name);
  if (!kind)
    throw new PwpError('usage', `there is no agent ${JSON.stringify(name)} that asks a model`, {
      help: `One of ${agentKinds.map((one) => one.name).join(', ')}`,
    });
  const [system, set] = await Promise.all([readSystemPrompt(name), readToolSet(tools ?? kind.tools)]);
  print({ ...kind, system, tools: set.tools }, json ?? false, () =>
    [
      system,
      '',
      `Tools (${set.name}): ${set.tools.map((tool) => tool.name).join(', ') || 'none'}`,
      `Mouse and keyboard: ${kind.computer ? 'yes' : 'no'}`,
      `Shown to a model with a computer tool of its vendor's: ${kind.trained.join(', ')}`,
      `Shown to others: ${kind.untrained.join(', ')}`,
    ].join('\n'),
  );
}
