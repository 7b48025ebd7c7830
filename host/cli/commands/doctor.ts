import type { Command } from 'commander';
import { diagnose, type Finding } from '../diagnose.ts';
import { interruptSignal } from '../context.ts';
import { print } from '../output.ts';
import { table } from '../table.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('report what this machine has and lacks: programs, node, Docker, live checkpoints')
    .option('--json', 'print as JSON')
    .action(doctor);
}

async function doctor({ json = false }: { json?: boolean }): Promise<void> {
  const found = await diagnose(interruptSignal());
  print(found, json, () => table([['', 'WHAT', 'FOUND', 'WHAT TO DO'], ...found.map(row)]));
  if (found.some(({ state }) => state === 'missing')) process.exitCode = 2;
}

function row({ state, what, detail, help }: Finding): string[] {
  return [state, what, detail, state === 'ok' ? '' : help];
}
