import { addAgentsCommand } from './agents.ts';
import { addCpCommand, addDiffCommand, addPullCommand } from './changes.ts';
import {
  addCheckpointCommand,
  addCheckpointsCommand,
  addForkCommand,
  addRestoreCommand,
} from './checkpoints.ts';
import { addDatasetsCommand } from './datasets.ts';
import { addDemonstrateCommand } from './demonstrate.ts';
import { addDoctorCommand } from './doctor.ts';
import { addEvalCommand } from './eval.ts';
import { addExportCommand } from './export.ts';
import { addInspectCommand, addWatchCommand } from './inspect.ts';
import { addMcpCommand, addServeCommand } from './mcp.ts';
import { addPairCommand } from './pair.ts';
import { addReplayCommand } from './replay.ts';
import { addDemoCommand, addRunCommand } from './run.ts';
import {
  addDownCommand,
  addImagesCommand,
  addReleaseCommand,
  addSandboxesCommand,
  addUpCommand,
} from './sandboxes.ts';
import { addObserveCommand, addStepCommand } from './step.ts';
import { addTasksCommand } from './tasks.ts';
import { addToolCommand, addToolsCommand } from './tools.ts';
import { addReportCommand, addViewCommand } from './view.ts';

/** Add the commands to a program, in the order in which its help lists them. */
export const commandList = [
  addUpCommand,
  addStepCommand,
  addObserveCommand,
  addInspectCommand,
  addToolsCommand,
  addToolCommand,
  addPairCommand,
  addDemonstrateCommand,
  addMcpCommand,
  addServeCommand,
  addReleaseCommand,
  addWatchCommand,
  addDiffCommand,
  addPullCommand,
  addCpCommand,
  addCheckpointCommand,
  addRestoreCommand,
  addForkCommand,
  addCheckpointsCommand,
  addDownCommand,
  addRunCommand,
  addEvalCommand,
  addReplayCommand,
  addReportCommand,
  addViewCommand,
  addExportCommand,
  addAgentsCommand,
  addTasksCommand,
  addDatasetsCommand,
  addSandboxesCommand,
  addImagesCommand,
  addDoctorCommand,
  addDemoCommand,
];
