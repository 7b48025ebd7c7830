import type { Command } from 'commander';

/** Adds one command, or several of one subject, to a program. */
type AddCommand = (program: Command) => void;

/**
 * The commands, in the order in which the program's help lists them, each with the file that has it: loaded for the
 * command that is called alone, since to load them all takes half a second.
 */
const commandLoaders: Readonly<Record<string, () => Promise<AddCommand>>> = {
  up: async () => (await import('./sandboxes.ts')).addUpCommand,
  step: async () => (await import('./step.ts')).addStepCommand,
  observe: async () => (await import('./step.ts')).addObserveCommand,
  inspect: async () => (await import('./inspect.ts')).addInspectCommand,
  tools: async () => (await import('./tools.ts')).addToolsCommand,
  tool: async () => (await import('./tools.ts')).addToolCommand,
  pair: async () => (await import('./pair.ts')).addPairCommand,
  demonstrate: async () => (await import('./demonstrate.ts')).addDemonstrateCommand,
  mcp: async () => (await import('./mcp.ts')).addMcpCommand,
  serve: async () => (await import('./serve.ts')).addServeCommand,
  release: async () => (await import('./sandboxes.ts')).addReleaseCommand,
  watch: async () => (await import('./inspect.ts')).addWatchCommand,
  diff: async () => (await import('./changes.ts')).addDiffCommand,
  pull: async () => (await import('./changes.ts')).addPullCommand,
  cp: async () => (await import('./changes.ts')).addCpCommand,
  checkpoint: async () => (await import('./checkpoints.ts')).addCheckpointCommand,
  restore: async () => (await import('./checkpoints.ts')).addRestoreCommand,
  fork: async () => (await import('./checkpoints.ts')).addForkCommand,
  checkpoints: async () => (await import('./checkpoints.ts')).addCheckpointsCommand,
  down: async () => (await import('./sandboxes.ts')).addDownCommand,
  run: async () => (await import('./run.ts')).addRunCommand,
  eval: async () => (await import('./eval.ts')).addEvalCommand,
  worker: async () => (await import('./worker.ts')).addWorkerCommand,
  queue: async () => (await import('./queue.ts')).addQueueCommand,
  attempt: async () => (await import('./worker.ts')).addAttemptCommand,
  replay: async () => (await import('./replay.ts')).addReplayCommand,
  report: async () => (await import('./view.ts')).addReportCommand,
  view: async () => (await import('./view.ts')).addViewCommand,
  export: async () => (await import('./export.ts')).addExportCommand,
  agents: async () => (await import('./agents.ts')).addAgentsCommand,
  tasks: async () => (await import('./tasks.ts')).addTasksCommand,
  datasets: async () => (await import('./datasets.ts')).addDatasetsCommand,
  sandboxes: async () => (await import('./sandboxes.ts')).addSandboxesCommand,
  images: async () => (await import('./images.ts')).addImagesCommand,
  doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
  demo: async () => (await import('./run.ts')).addDemoCommand,
};

/**
 * Adds the command of this name, or all if it is not a command, as help and suggestions for a mistyped name need them.
 */
export async function addCommands(program: Command, name: string | undefined): Promise<void> {
  const called = name !== undefined && Object.hasOwn(commandLoaders, name) ? commandLoaders[name] : undefined;
  const loaders = called ? [called] : Object.values(commandLoaders);
  for (const load of loaders) (await load())(program);
}
