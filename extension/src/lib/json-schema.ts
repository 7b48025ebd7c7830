import { clip, isJsonObject } from '../../../bridge/text/index.ts';

/** A JSON Schema from elsewhere: nothing about it is known before it is checked. */
type Schema = Readonly<Record<string, unknown>>;
type Check = (value: unknown, schema: Schema, at: SchemaPlace) => string | undefined;

interface SchemaPlace {
  /** E.g. `["a"][0]`; empty for the whole value. */
  readonly path: string;
  /** The root that references of the schema are relative to. */
  readonly root: unknown;
  /** How many references were followed on the way. */
  readonly references: number;
}

const mostNamed = 20;
/** More references would be circular. */
const mostReferences = 50;

/**
 * Explains in one line why a value does not fit a JSON Schema; undefined if it fits. Knows the keywords that matter for
 * VS Code's settings, and accepts everything that it does not know, such as references to other documents.
 * @param root the document that contains the schema, if it refers to other parts of it
 */
export function validateValue(value: unknown, schema: unknown, root: unknown = schema): string | undefined {
  return validateAt(value, schema, { path: '', root, references: 0 });
}

function validateAt(value: unknown, schema: unknown, at: SchemaPlace): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  for (const check of checks) {
    const found = check(value, schema, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function validateReference(value: unknown, { $ref: reference }: Schema, at: SchemaPlace): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  const references = at.references + 1;
  if (references > mostReferences) return undefined;
  return validateAt(value, resolveReference(at.root, reference), { ...at, references });
}

/** The part that a JSON pointer, as a fragment, refers to; undefined if nothing is there. */
function resolveReference(root: unknown, reference: string): unknown {
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (part, name) => (isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    root,
  );
}

function validateChoice(value: unknown, { enum: choice }: Schema, at: SchemaPlace): string | undefined {
  if (!Array.isArray(choice) || choice.some((one) => isSame(one, value))) return undefined;
  const named = choice.slice(0, mostNamed).map(formatValue).join(', ');
  const more = choice.length > mostNamed ? ` and ${choice.length - mostNamed} more` : '';
  return `${formatSubject(value, at)} is not one of ${named}${more}`;
}

function validateType(value: unknown, { type }: Schema, at: SchemaPlace): string | undefined {
  const types = [type].flat().filter((one) => typeof one === 'string');
  if (types.length === 0 || types.some((one) => hasType(value, one))) return undefined;
  return `${formatSubject(value, at)} is not ${types.map((one) => typeNames[one] ?? one).join(' or ')}`;
}

const typeNames: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function validateNumber(value: unknown, schema: Schema, at: SchemaPlace): string | undefined {
  if (typeof value !== 'number') return undefined;
  const { minimum: least, maximum: most, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const text = formatSubject(value, at);
  if (typeof least === 'number' && value < least) return `${text} is less than ${least}`;
  if (typeof most === 'number' && value > most) return `${text} is more than ${most}`;
  if (typeof above === 'number' && value <= above) return `${text} is not more than ${above}`;
  if (typeof below === 'number' && value >= below) return `${text} is not less than ${below}`;
  return undefined;
}

function validateText(value: unknown, schema: Schema, at: SchemaPlace): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { minLength: least, maxLength: most, pattern } = schema;
  const text = formatSubject(value, at);
  if (typeof least === 'number' && value.length < least) return `${text} is shorter than ${least} characters`;
  if (typeof most === 'number' && value.length > most) return `${text} is longer than ${most} characters`;
  if (typeof pattern !== 'string' || matches(value, pattern)) return undefined;
  const why = [schema.patternErrorMessage, schema.errorMessage].find((one) => typeof one === 'string');
  return `${text} does not match ${pattern}${why === undefined ? '' : `: ${why}`}`;
}

/** An invalid pattern is ignored. */
function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function validateList(value: unknown, schema: Schema, at: SchemaPlace): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const { minItems: least, maxItems: most, uniqueItems: unique, items } = schema;
  const text = formatSubject(value, at);
  if (typeof least === 'number' && value.length < least) return `${text} has fewer than ${least} items`;
  if (typeof most === 'number' && value.length > most) return `${text} has more than ${most} items`;
  if (unique === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
    return `${text} has an item twice`;
  return findFirstProblem(value, (one, i) =>
    validateAt(one, Array.isArray(items) ? items[i] : items, inner(at, i)),
  );
}

function validateObject(value: unknown, schema: Schema, at: SchemaPlace): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { required } = schema;
  const lacks = Array.isArray(required) ? required.filter((name) => !Object.hasOwn(value, String(name))) : [];
  if (lacks.length > 0) return `${formatSubject(value, at)} lacks ${lacks.map(formatValue).join(', ')}`;
  return findFirstProblem(Object.entries(value), ([name, one]) => validateProperty(name, one, schema, at));
}

function validateProperty(name: string, value: unknown, schema: Schema, at: SchemaPlace): string | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties: others } = schema;
  const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  const known = [...own, ...patterns.flatMap(([pattern, one]) => (matches(name, pattern) ? [one] : []))];
  const within = inner(at, name);
  if (known.length > 0) return findFirstProblem(known, (one) => validateAt(value, one, within));
  return others === false ? `${within.path} is not known` : validateAt(value, others, within);
}

function validateAlternatives(value: unknown, { anyOf, oneOf }: Schema, at: SchemaPlace): string | undefined {
  return findFirstProblem([anyOf, oneOf], (all) => {
    if (!Array.isArray(all) || all.length === 0) return undefined;
    const found = all.map((one) => validateAt(value, one, at));
    return found.includes(undefined) ? undefined : [...new Set(found)].slice(0, 5).join(', and ');
  });
}

function validateAll(value: unknown, { allOf }: Schema, at: SchemaPlace): string | undefined {
  return Array.isArray(allOf) ? findFirstProblem(allOf, (one) => validateAt(value, one, at)) : undefined;
}

const checks: readonly Check[] = [
  validateReference,
  validateChoice,
  validateType,
  validateNumber,
  validateText,
  validateList,
  validateObject,
  validateAlternatives,
  validateAll,
];

function findFirstProblem<T>(
  all: readonly T[],
  look: (one: T, i: number) => string | undefined,
): string | undefined {
  for (const [i, one] of all.entries()) {
    const found = look(one, i);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inner(at: SchemaPlace, name: string | number): SchemaPlace {
  return { ...at, path: `${at.path}[${formatValue(name)}]` };
}

function formatSubject(value: unknown, { path }: SchemaPlace): string {
  return path === '' ? formatValue(value) : `${path} = ${formatValue(value)}`;
}

function formatValue(value: unknown): string {
  return clip(JSON.stringify(value), 100);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
