import type { z } from 'zod';

type Predicate = (value: unknown) => boolean;

const predicates = new WeakMap<z.ZodType, Predicate>();

/**
 * Whether a value fits a schema, as `safeParse` says, without its copy and result: for checks of every event. Kinds of
 * schemas that this file does not handle are parsed by zod.
 */
export function fitsSchema(schema: z.ZodType, value: unknown): boolean {
  let predicate = predicates.get(schema);
  if (predicate === undefined) {
    predicate = predicateOf(schema);
    predicates.set(schema, predicate);
  }
  return predicate(value);
}

function predicateOf(schema: z.core.$ZodType): Predicate {
  const base = basePredicate(schema);
  const checks = (schema._zod.def.checks ?? []).map(checkPredicate);
  if (base === null || checks.includes(null)) return (value) => (schema as z.ZodType).safeParse(value).success;
  return (checks as readonly CheckPredicate[]).reduce<Predicate>(
    (before, check) => (value) => before(value) && check(value as never),
    base,
  );
}

function basePredicate(schema: z.core.$ZodType): Predicate | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'string':
      return isPlain(def) ? (value) => typeof value === 'string' : null;
    case 'number':
      return numberPredicate(def);
    case 'literal':
      return (value) => def.values.includes(value as z.core.util.Literal);
    case 'enum': {
      const words = new Set<unknown>(Object.values(def.entries));
      return (value) => words.has(value);
    }
    case 'nullable': {
      const inner = predicateOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'optional': {
      const inner = predicateOf(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'readonly':
      return predicateOf(def.innerType);
    case 'array': {
      const inner = predicateOf(def.element);
      return (value) => Array.isArray(value) && value.every(inner);
    }
    case 'object':
      return def.catchall?._zod.def.type === 'never' ? objectPredicate(def.shape) : null;
    case 'union': {
      const options = def.options.map(predicateOf);
      return (value) => options.some((option) => option(value));
    }
    default:
      return null;
  }
}

/** Whether a schema for texts or numbers neither coerces nor is a special format. */
function isPlain(def: object): boolean {
  return !('coerce' in def && def.coerce === true) && !('format' in def && def.format !== undefined);
}

function numberPredicate(def: z.core.$ZodNumberDef): Predicate | null {
  if ('format' in def && def.format === 'safeint') return Number.isSafeInteger;
  return isPlain(def) ? Number.isFinite : null;
}

/** The predicate of an object with exactly these fields; optional ones may be missing. */
function objectPredicate(shape: z.core.$ZodShape): Predicate {
  const names = Object.keys(shape);
  const fields = Object.values(shape).map(predicateOf);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const object = value as Readonly<Record<string, unknown>>;
    let missing = 0;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string;
      const field = object[name];
      if (fields[index]?.(field) !== true) return false;
      if (field === undefined && !(name in object)) missing += 1;
    }
    let there = 0;
    for (const _ in object) there += 1;
    return there + missing === names.length;
  };
}

type CheckPredicate = (value: never) => boolean;

function checkPredicate(check: z.core.$ZodCheck): CheckPredicate | null {
  const { def } = (check as unknown as z.core.$ZodChecks)._zod;
  switch (def.check) {
    case 'string_format': {
      const { format, pattern } = def;
      return format === 'regex' && pattern?.global === false ? (value: string) => pattern.test(value) : null;
    }
    case 'min_length':
      return (value: string) => value.length >= def.minimum;
    case 'length_equals':
      return (value: string) => value.length === def.length;
    case 'greater_than':
      return def.inclusive
        ? (value: number) => value >= Number(def.value)
        : (value: number) => value > Number(def.value);
    case 'less_than':
      return def.inclusive
        ? (value: number) => value <= Number(def.value)
        : (value: number) => value < Number(def.value);
    default:
      return customPredicate(def);
  }
}

/** The predicate of a `refine`, which is a schema and a check in one; null for other checks. */
function customPredicate(def: object): CheckPredicate | null {
  const isCustom = 'check' in def && def.check === 'custom' && 'fn' in def && typeof def.fn === 'function';
  return isCustom ? (value) => Boolean((def.fn as (value: unknown) => unknown)(value)) : null;
}
