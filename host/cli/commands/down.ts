import type { Command } from 'commander';
import { Session } from '../../env/index.ts';
import { withNode } from '../context.ts';

export function addRelease(program: Command): void {
  program
    .command('release')
    .description('release all keys and mouse buttons that are held down in a running sandbox')
    .argument('<sandbox>', 'id of a running sandbox')
    .action((id: string) =>
      withNode(async ({ node, signal }) => {
        await using sandbox = await node.open(id, { signal });
        using session = new Session(sandbox);
        await session.release({ signal });
      }),
    );
}

export function addDown(program: Command): void {
  program
    .command('down')
    .description('stop running sandboxes and remove everything they left')
    .argument('<sandbox...>', 'ids of running sandboxes')
    .action((ids: string[]) =>
      withNode(async ({ node }) => {
        for (const id of ids) await node.stop(id);
      }),
    );
}
