import type { ESLint, Rule } from 'eslint';
import ts from 'typescript';

/** What typescript-eslint's parser provides for a file. */
interface Services {
  readonly program?: ts.Program;
  readonly esTreeNodeToTSNodeMap?: { get(node: unknown): ts.Node };
}

/** A literal below this is an index into a known form, such as a hash or a date, not a bound of a text. */
const leastBound = 20;
/** A hash, or a text with all but certain characters replaced: these have no surrogate pairs. */
const plain = /\.digest\('hex'\)$|\.replaceAll\(\/\[\^/;
const boundName = /^(most|max|longest|limit|room)/;

const wholeCharacters: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'Text is bounded by clip, clipEnd or shorten, which keep characters whole' },
    messages: { cut: 'May cut a character in two: use clip, clipEnd or shorten of bridge/text' },
    schema: [],
  },
  create: (context) => {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices as Services;
    if (!program || !esTreeNodeToTSNodeMap) return {};
    const checker = program.getTypeChecker();
    return {
      CallExpression: (node) => {
        const call = esTreeNodeToTSNodeMap.get(node);
        if (ts.isCallExpression(call) && isCut(call, checker)) context.report({ node, messageId: 'cut' });
      },
    };
  },
};

function isCut({ expression, arguments: given }: ts.CallExpression, checker: ts.TypeChecker): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const [first, second] = given;
  const { text: name } = expression.name;
  if (!['slice', 'substring', 'substr'].includes(name) || !first) return false;
  const bound = second ? (first.getText() === '0' ? second : undefined) : negated(first);
  if (!bound || !isBound(bound) || plain.test(expression.expression.getText())) return false;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression.expression));
  return (type.flags & ts.TypeFlags.StringLike) !== 0;
}

function negated(node: ts.Expression): ts.Expression | undefined {
  return ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken
    ? node.operand
    : undefined;
}

function isBound(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node)) return Number(node.text) >= leastBound;
  const names = node
    .getText()
    .replaceAll(/\bMath\.\w+/g, '')
    .split(/\W+/);
  return names.some((name) => boundName.test(name));
}

/** Rules about cutting text. */
export const textRules: ESLint.Plugin = { rules: { 'whole-characters': wholeCharacters } };
