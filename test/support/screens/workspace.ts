/** The workspace that the screens show. */
export const workspace: Readonly<Record<string, string>> = {
  'src/app.js': [
    "const { greet } = require('./greet');",
    '',
    'function total(prices) {',
    '  let sum = 0;',
    '  for (const price of prices) sum += price;',
    '  return sum;',
    '}',
    '',
    'const names = ["Ada", "Grace", "Barbara"];',
    'for (const name of names) console.log(greet(name));',
    'console.log(total([1, 2, 3]));',
    '',
  ].join('\n'),
  'src/greet.js': [
    '/** Greets someone. */',
    'function greet(name) {',
    '  return `hello ${name}`;',
    '}',
    'module.exports = { greet };',
    '',
  ].join('\n'),
  'src/broken.json': '{ "a": 1,, }\n',
  'README.md': [
    '# Screens',
    '',
    'See [the source](src/app.js) and [the site](https://example.com/).',
    '',
    '## Steps',
    '',
    '- one',
    '- two',
    '',
    '```js',
    'greet("you");',
    '```',
    '',
  ].join('\n'),
  'notes.ipynb': JSON.stringify({
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# A notebook\n'] },
      { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['print(6 * 7)\n'] },
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  }),
  '.vscode/launch.json': JSON.stringify({
    version: '0.2.0',
    configurations: [
      {
        type: 'node',
        request: 'launch',
        name: 'app',
        program: '${workspaceFolder}/src/app.js',
        // Terminals and their programs have it in their PATH; the IDE itself does not.
        runtimeExecutable: '/opt/node/bin/node',
        console: 'internalConsole',
      },
    ],
  }),
};

/** Makes a repository of the workspace, with one changed file and one new file. */
export const makeRepository = [
  'git init -q -b main',
  'git config user.email ide@example.com && git config user.name IDE',
  'git add -A && git commit -q -m first',
  "sed -i 's/hello/good day/' src/greet.js",
  'echo new > new.txt',
].join(' && ');
