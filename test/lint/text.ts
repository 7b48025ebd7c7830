import type { ESLint, Rule } from 'eslint';
import ts from 'typescript';

/** What typescript-eslint's parser knows of a file. */
interface Services {
  readonly program?: ts.Program;
  readonly esTreeNodeToTSNodeMap?: { get(node: unknown): ts.Node };
}

/** A literal below this is a place in a known form, such as a hash or a date, and no bound of a text. */
const leastBound = 20;
/** A hash, and a text of which all signs but some were replaced: these have no characters of two halves. */
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

/** Rules on how text is cut. */
export const textRules: ESLint.Plugin = { rules: { 'whole-characters': wholeCharacters } };
