import { addAgents } from './agents.ts';
import { addCheckpoint, addFork, addRestore } from './checkpoint.ts';
import { addCheckpoints } from './checkpoints.ts';
import { addCp } from './cp.ts';
import { addDatasets } from './datasets.ts';
import { addDemo } from './demo.ts';
import { addDemonstrate } from './demonstrate.ts';
import { addDiff } from './diff.ts';
import { addDoctor } from './doctor.ts';
import { addDown, addRelease } from './down.ts';
import { addImages } from './images.ts';
import { addEval } from './eval.ts';
import { addExport } from './export.ts';
import { addInspect } from './inspect.ts';
import { addMcp } from './mcp.ts';
import { addPair } from './pair.ts';
import { addPull } from './pull.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { addRun } from './run.ts';
import { addSandboxes } from './sandboxes.ts';
import { addServe } from './serve.ts';
import { addObserve, addStep } from './step.ts';
import { addTasks } from './tasks.ts';
import { addTool, addTools } from './tools.ts';
import { addUp } from './up.ts';
import { addView } from './view.ts';
import { addWatch } from './watch.ts';

/** Add the commands to a program, in the order in which its help lists them. */
export const commands = [
  addUp,
  addStep,
  addObserve,
  addInspect,
  addTools,
  addTool,
  addPair,
  addDemonstrate,
  addMcp,
  addServe,
  addRelease,
  addWatch,
  addDiff,
  addPull,
  addCp,
  addCheckpoint,
  addRestore,
  addFork,
  addCheckpoints,
  addDown,
  addRun,
  addEval,
  addReplay,
  addReport,
  addView,
  addExport,
  addAgents,
  addTasks,
  addDatasets,
  addSandboxes,
  addImages,
  addDoctor,
  addDemo,
];
