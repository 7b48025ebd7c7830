import { makeTextEntry } from '../../host/tasks/format/archive.ts';
import { makeTask } from '../../host/tasks/format/made-task.ts';
import { madeTaskConfig } from './made-task-config.ts';

/** Its workspace is that of the image that it is played in, where it is solved by `done.txt` with `yes` in it. */
export const lookTask = makeTask({
  ...{ id: 'made/look', path: '/made', instruction: 'Look.' },
  workspace: [makeTextEntry('a.txt', 'of the task\n')],
  tests: [
    makeTextEntry(
      'test.sh',
      [
        '#!/bin/bash',
        'reward=0',
        'for file in /*/done.txt; do',
        '  [ -e "$file" ] && read -r said < "$file" && [ "$said" = yes ] && reward=1',
        'done',
        'echo $reward > /logs/verifier/reward.txt',
        '',
      ].join('\n'),
    ),
  ],
  ...{ solutions: [], falseSolutions: [] },
  config: madeTaskConfig({ agent_code: 'nowhere' }),
});
