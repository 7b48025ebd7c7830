import tseslint from 'typescript-eslint';
import { importRules } from './test/lint/index.ts';
import { textRules } from './test/lint/text.ts';
import { wordRules } from './test/lint/words.ts';
import { houseRules } from './test/lint/house.ts';
import { markupRules } from './test/lint/markup.ts';

// esbuild keeps the error of one iteration of a loop and throws it again in the next one, which did not fail.
const loopsOfEsbuild = {
  selector:
    ':matches(ForStatement, ForOfStatement, WhileStatement, DoWhileStatement) TryStatement[handler] > BlockStatement > VariableDeclaration[kind=/using/]',
  message: 'Move the try statement into a function: esbuild mixes up the iterations of such a loop.',
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
      // A `using` declaration would dispose of something that a promise still needs if it is returned without await.
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
    // Input from outside must not end the process that reads it.
    files: ['host/**/*.ts', 'bridge/**/*.ts'],
    // The requests in host/run/models are outgoing ones.
    ignores: ['bridge/lib/**', 'host/run/models/**', 'host/doors/web/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        loopsOfEsbuild,
        {
          selector:
            'NewExpression[callee.name="URL"] MemberExpression[object.name="request"][property.name="url"]',
          message: 'Use addressOf: a malformed address throws.',
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
    // Tests may import a folder's internal files.
    files: ['host/**/*.ts', 'bridge/**/*.ts', 'extension/**/*.ts'],
    rules: { 'imports/through-doors': 'error' },
  },
  {
    files: ['host/**/*.ts', 'bridge/**/*.ts', 'extension/**/*.ts'],
    plugins: { house: houseRules, markup: markupRules },
    rules: {
      'markup/only-in-web': 'error',
      'house/unique-exports': 'error',
      'house/unique-files': 'error',
      'house/enough-lines': 'error',
      'house/only-doors-read': 'error',
      'house/of-looks-up': 'error',
    },
  },
  {
    // Texts that are shown, sent or recorded are cut without splitting a character.
    files: ['host/**/*.ts', 'bridge/**/*.ts', 'extension/**/*.ts'],
    plugins: { text: textRules },
    rules: { 'text/whole-characters': 'error' },
  },
  {
    // The product waits for events and deadlines. Only bridge/lib may use timers.
    files: ['host/**/*.ts', 'bridge/**/*.ts', 'extension/src/**/*.ts'],
    // Pages in a browser can't use bridge/lib.
    ignores: ['bridge/lib/**', 'host/doors/web/**'],
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
