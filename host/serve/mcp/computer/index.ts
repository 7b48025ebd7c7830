import type { ServedTool } from '../served-tool.ts';
import { actingTools } from './act.ts';
import { lookingTools } from './look.ts';
import { otherTools } from './other.ts';

/** The screen, the mouse and the keyboard as tools, under the names that computer-using models know. */
export const computerTools: readonly ServedTool[] = [...lookingTools, ...actingTools, ...otherTools];

/** The tools that most work at the screen needs. */
export const coreComputerTools: readonly string[] = [
  'computer_screenshot',
  'computer_zoom',
  'computer_marks',
  'computer_click',
  'computer_scroll',
  'computer_type',
  'computer_key',
  'computer_step',
];
