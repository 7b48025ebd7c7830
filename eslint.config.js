import { tsImport } from 'tsx/esm/api';
import tseslint from 'typescript-eslint';

// Rules of our own, also for editors whose Node reads no TypeScript.
const { importRules } = await tsImport('./test/lint/index.ts', import.meta.url);
const { textRules } = await tsImport('./test/lint/text.ts', import.meta.url);
const { wordRules } = await tsImport('./test/lint/words.ts', import.meta.url);

// esbuild keeps the error of one turn of a loop and throws it again in the next, which did not fail.
const loopsOfEsbuild = {
  selector:
    ':matches(ForStatement, ForOfStatement, WhileStatement, DoWhileStatement) TryStatement[handler] > BlockStatement > VariableDeclaration[kind=/using/]',
  message: 'Move what is tried into a function: esbuild mixes up the turns of such a loop.',
};

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'runs/**', 'tasks/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      // A `using` declaration ends what a promise that is only returned still needs.
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    plugins: { imports: importRules, words: wordRules },
    rules: { 'imports/no-circle': 'error', 'words/plain': 'error' },
  },
  {
    files: ['**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', loopsOfEsbuild] },
  },
  {
    // What comes from outside must not end the process that reads it.
    files: ['host/**/*.ts', 'bridge/**/*.ts'],
    // host/models makes requests of its own.
    ignores: ['bridge/lib/**', 'host/models/**', 'host/serve/page/**', 'host/view/page/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        loopsOfEsbuild,
        {
          selector:
            'NewExpression[callee.name="URL"] MemberExpression[object.name="request"][property.name="url"]',
          message: 'Use addressOf: an address that is none throws.',
        },
        {
          selector:
            'CallExpression[callee.property.name="on"][arguments.0.value=/^(request|upgrade|connect|connection|message)$/][arguments.1.type="ArrowFunctionExpression"]',
          message: 'Wrap the listener in guarded, or use httpDoor: one that throws ends the process.',
        },
      ],
    },
  },
  {
    // A test may look at what a folder keeps to itself.
    files: ['host/**/*.ts', 'bridge/**/*.ts', 'extension/**/*.ts'],
    rules: { 'imports/through-doors': 'error' },
  },
  {
    // What is shown, sent or recorded is bounded without cutting a character in two.
    files: ['host/**/*.ts', 'bridge/**/*.ts', 'extension/**/*.ts'],
    plugins: { text: textRules },
    rules: { 'text/whole-characters': 'error' },
  },
  {
    // The product waits on events and deadlines. The one place that may hold a timer is bridge/lib.
    files: ['host/**/*.ts', 'bridge/**/*.ts', 'extension/src/**/*.ts'],
    // A page in a browser has no bridge/lib.
    ignores: ['bridge/lib/**', 'host/serve/page/**', 'host/view/page/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: 'Use the deadline or poll helper.' },
        { name: 'setInterval', message: 'Use the deadline or poll helper.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:timers/promises', message: 'Use the deadline or poll helper.' },
            ...['node:http', 'node:https'].map((name) => ({
              name,
              importNames: ['createServer'],
              message: 'Use httpDoor: a listener that throws ends the process.',
            })),
          ],
        },
      ],
    },
  },
);
