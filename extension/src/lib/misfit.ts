import { clip } from '../../../bridge/lib/index.ts';

/** A JSON Schema from elsewhere: nothing about it is known before it is checked. */
type Schema = Readonly<Record<string, unknown>>;
type Check = (value: unknown, schema: Schema, at: Place) => string | undefined;

interface Place {
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
export function misfit(value: unknown, schema: unknown, root: unknown = schema): string | undefined {
  return misfitAt(value, schema, { path: '', root, references: 0 });
}

function misfitAt(value: unknown, schema: unknown, at: Place): string | undefined {
  if (!isRecord(schema)) return undefined;
  for (const check of checks) {
    const found = check(value, schema, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofReference(value: unknown, { $ref: reference }: Schema, at: Place): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  const references = at.references + 1;
  if (references > mostReferences) return undefined;
  return misfitAt(value, partOf(at.root, reference), { ...at, references });
}

/** The part that a JSON pointer, as a fragment, refers to; undefined if nothing is there. */
function partOf(root: unknown, reference: string): unknown {
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    root,
  );
}

function ofChoice(value: unknown, { enum: choice }: Schema, at: Place): string | undefined {
  if (!Array.isArray(choice) || choice.some((one) => isSame(one, value))) return undefined;
  const named = choice.slice(0, mostNamed).map(shown).join(', ');
  const more = choice.length > mostNamed ? ` and ${choice.length - mostNamed} more` : '';
  return `${said(value, at)} is not one of ${named}${more}`;
}

function ofType(value: unknown, { type }: Schema, at: Place): string | undefined {
  const types = [type].flat().filter((one) => typeof one === 'string');
  if (types.length === 0 || types.some((one) => hasType(value, one))) return undefined;
  return `${said(value, at)} is not ${types.map((one) => typeNames[one] ?? one).join(' or ')}`;
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
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function ofNumber(value: unknown, schema: Schema, at: Place): string | undefined {
  if (typeof value !== 'number') return undefined;
  const { minimum: least, maximum: most, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const text = said(value, at);
  if (typeof least === 'number' && value < least) return `${text} is less than ${least}`;
  if (typeof most === 'number' && value > most) return `${text} is more than ${most}`;
  if (typeof above === 'number' && value <= above) return `${text} is not more than ${above}`;
  if (typeof below === 'number' && value >= below) return `${text} is not less than ${below}`;
  return undefined;
}

function ofText(value: unknown, schema: Schema, at: Place): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { minLength: least, maxLength: most, pattern } = schema;
  const text = said(value, at);
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

function ofList(value: unknown, schema: Schema, at: Place): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const { minItems: least, maxItems: most, uniqueItems: unique, items } = schema;
  const text = said(value, at);
  if (typeof least === 'number' && value.length < least) return `${text} has fewer than ${least} items`;
  if (typeof most === 'number' && value.length > most) return `${text} has more than ${most} items`;
  if (unique === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
    return `${text} has an item twice`;
  return firstOf(value, (one, i) => misfitAt(one, Array.isArray(items) ? items[i] : items, inner(at, i)));
}

function ofObject(value: unknown, schema: Schema, at: Place): string | undefined {
  if (!isRecord(value)) return undefined;
  const { required } = schema;
  const lacks = Array.isArray(required) ? required.filter((name) => !Object.hasOwn(value, String(name))) : [];
  if (lacks.length > 0) return `${said(value, at)} lacks ${lacks.map(shown).join(', ')}`;
  return firstOf(Object.entries(value), ([name, one]) => ofProperty(name, one, schema, at));
}

function ofProperty(name: string, value: unknown, schema: Schema, at: Place): string | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties: others } = schema;
  const own = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = isRecord(patternProperties) ? Object.entries(patternProperties) : [];
  const known = [...own, ...patterns.flatMap(([pattern, one]) => (matches(name, pattern) ? [one] : []))];
  const within = inner(at, name);
  if (known.length > 0) return firstOf(known, (one) => misfitAt(value, one, within));
  return others === false ? `${within.path} is not known` : misfitAt(value, others, within);
}

function ofAlternatives(value: unknown, { anyOf, oneOf }: Schema, at: Place): string | undefined {
  return firstOf([anyOf, oneOf], (all) => {
    if (!Array.isArray(all) || all.length === 0) return undefined;
    const found = all.map((one) => misfitAt(value, one, at));
    return found.includes(undefined) ? undefined : [...new Set(found)].slice(0, 5).join(', and ');
  });
}

function ofAll(value: unknown, { allOf }: Schema, at: Place): string | undefined {
  return Array.isArray(allOf) ? firstOf(allOf, (one) => misfitAt(value, one, at)) : undefined;
}

const checks: readonly Check[] = [
  ofReference,
  ofChoice,
  ofType,
  ofNumber,
  ofText,
  ofList,
  ofObject,
  ofAlternatives,
  ofAll,
];

function firstOf<T>(all: readonly T[], look: (one: T, i: number) => string | undefined): string | undefined {
  for (const [i, one] of all.entries()) {
    const found = look(one, i);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inner(at: Place, name: string | number): Place {
  return { ...at, path: `${at.path}[${shown(name)}]` };
}

function said(value: unknown, { path }: Place): string {
  return path === '' ? shown(value) : `${path} = ${shown(value)}`;
}

function shown(value: unknown): string {
  return clip(JSON.stringify(value), 100);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
