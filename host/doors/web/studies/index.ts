export type { BoardData } from './queue-board.ts';
export type {
  AlignedData,
  AlignedRow,
  AttemptData,
  AttemptFacts,
  AttemptLine,
  AttemptState,
  FolderProblem,
  FoundSteps,
  IndexData,
  LiveLine,
  MomentData,
  MomentLine,
  OpenState,
  StepCriteria,
  StudyLine,
} from './study-data.ts';
