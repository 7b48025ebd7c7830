import { shell } from '../../../bridge/protocol/index.ts';
import type { Ide } from '../ide-sandbox.ts';
import { command, openAt, openFile, type Screen } from './screen.ts';

/** A file with a function that is longer than the screen. */
const longFile = `{
echo 'export class Store {'
echo '  read() {'
for i in $(seq 120); do echo "    this.use($i);"; done
echo '  }'
echo '}'
} > long.js`;

/** A second of silence, in a file that a browser can play. */
const soundFile = `{
printf 'RIFF\\144\\037\\000\\000WAVEfmt \\020\\000\\000\\000\\001\\000\\001\\000\\100\\037\\000\\000\\100\\037\\000\\000\\001\\000\\010\\000data\\100\\037\\000\\000'
head -c 8000 /dev/zero | tr '\\000' '\\200'
} > beep.wav`;

/** A merge of two branches that changed the same line. */
const conflict = `git stash -qu
for side in one two; do
git checkout -qb $side main
printf 'first\\n%s\\nlast\\n' $side > clash.txt
git add clash.txt && git commit -qm $side
done
git merge one > /tmp/merge.txt || true`;

const settled = `git merge --abort; git checkout -q main && git branch -qD one two && git stash pop -q`;

async function run(ide: Ide, commandLine: string): Promise<void> {
  await ide.sandbox.call(shell.run, { command: commandLine }, { signal: AbortSignal.timeout(20_000) });
}

const closeEditor = (ide: Ide): Promise<void> => ide.key('ctrl+w');

/** Editors that are not a single plain text. */
export const special: Readonly<Record<string, Screen>> = {
  'sticky lines': {
    async open(ide) {
      await run(ide, longFile);
      await openAt(ide, 'long.js', 90);
      await ide.until('the lines that stay, by number', ({ marks }) => {
        const staying = marks.filter(({ role }) => role === 'sticky line').map(({ line }) => line);
        return staying.join() === '1,2' ? true : undefined;
      });
    },
    shown: [
      ['sticky line', /^export class Store/],
      ['sticky line', /^ {2}read\(\)/],
    ],
    close: closeEditor,
  },
  'peek view': {
    async open(ide) {
      await openAt(ide, 'src/app.js', 10);
      await ide.key('End');
      for (let i = 0; i < 8; i += 1) await ide.key('Left');
      await command(ide, 'Peek Definition');
      await ide.find('line', /good day/);
      await ide.until('numbers of both editors', ({ marks }) => {
        const numberOf = (text: RegExp) =>
          marks.find((one) => one.role === 'line' && text.test(one.name))?.line;
        // Lines that the outer editor showed above may stay at its top, with another role.
        return numberOf(/good day/) === 3 && numberOf(/let sum = 0/) === 4 ? true : undefined;
      });
    },
    nested: true,
    shown: [
      ['line', /let sum = 0/],
      ['line', /good day/],
      ['gutter', /^line 10\b/],
    ],
    async close(ide) {
      await ide.key('Escape');
      await ide.key('ctrl+w');
    },
  },
  'audio player': {
    async open(ide) {
      await run(ide, soundFile);
      await openFile(ide, 'beep.wav');
      const player = await ide.until('the player', ({ marks }) =>
        marks.find(({ role, value }) => role === 'audio' && value === 'paused at 0:00 of 0:01'),
      );
      await ide.click(player);
      await ide.until('the end of the sound', ({ marks }) =>
        marks.find(({ role, value }) => role === 'audio' && value === 'paused at 0:01 of 0:01'),
      );
    },
    shown: [['audio', /^audio player$/]],
    async close(ide) {
      // The player has the keyboard focus, and VS Code receives no shortcut there.
      await ide.click(await ide.find('tab', /^beep\.wav/));
      await closeEditor(ide);
    },
  },
  'page of an extension': {
    async open(ide) {
      await ide.key('ctrl+shift+x');
      await ide.type('@builtin emmet');
      await ide.click(await ide.find('listitem', /^Emmet/));
      await ide.find('tab', /^Extension: Emmet/);
    },
    shown: [
      ['button', /^Other$/],
      ['link', /^CONTRIBUTING\.md/],
    ],
    close: closeEditor,
  },
  'merge editor': {
    async open(ide) {
      await run(ide, conflict);
      await openFile(ide, 'clash.txt');
      await ide.click(await ide.find('button', /^Resolve in Merge Editor/));
      await ide.find('textbox', /^Result:/);
    },
    shown: [
      ['textbox', /^Incoming: Merging: clash\.txt/],
      ['textbox', /^Current: Merging: clash\.txt/],
      ['textbox', /^Result: Merging: clash\.txt/],
      ['button', /^Accept Incoming/],
      ['button', /^Accept Current/],
    ],
    async close(ide) {
      await command(ide, 'View: Revert and Close Editor');
      await run(ide, settled);
    },
  },
};
