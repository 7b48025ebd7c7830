import { makeTextEntry } from '../../host/tasks/format/archive.ts';
import { makeTask } from '../../host/tasks/format/made-task.ts';

/** Its workspace is that of the image that it is played in, where it is solved by `done.txt` with `yes` in it. */
export const lookTask = makeTask({
  ...{ id: 'made/look', path: '/made', instruction: 'Look.' },
  workspace: [makeTextEntry('a.txt', 'of the task\n')],
  tests: [
    makeTextEntry(
      'test.sh',
      '#!/bin/bash\nfor file in */done.txt /*/done.txt; do read -r said < "$file" && [ "$said" = yes ] && echo 1 > /logs/verifier/reward.txt; done\nexit 0\n',
    ),
  ],
  ...{ solutions: [], falseSolutions: [] },
  config: {
    version: '1.0',
    metadata: { author_name: 'a', author_email: 'a@example.com', difficulty: 'easy', category: 'general' },
    agent: { timeout_sec: 60 },
    verifier: { timeout_sec: 60 },
    pwp: { features: ['editing'], agent_code: 'nowhere' },
  },
});
