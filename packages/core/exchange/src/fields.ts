/** The fields of an event or a command as data, from which types, schemas, versions and private fields follow. */

/** The scalar field types, each with the type of its values. */
interface Scalars {
  readonly boolean: boolean;
  readonly count: number;
  readonly fraction: number;
  /** The id of a market: any text but the empty one. */
  readonly id: string;
  /** Whole milliseconds since 1970 UTC that a client gave. They may be before 1970. */
  readonly instant: number;
  /** The last four characters of a raw key. */
  readonly last4: string;
  readonly number: number;
  readonly positive: number;
  /** 0..10,000 units of $0.0001. */
  readonly priceUnits: number;
  readonly sha256: string;
  readonly text: string;
  /** 1, 10 or 100 units of $0.0001. */
  readonly tickUnits: number;
  /** Whole milliseconds since 1970 UTC. */
  readonly time: number;
  /** Money in whole units of $0.0001, from 0. */
  readonly units: number;
  readonly uuid: string;
}

export type ScalarType = keyof Scalars;

export type Nullable<T> = { readonly nullable: T };
export type ListOf<T> = { readonly listOf: T };
export type Private<T> = { readonly private: T };
export type ObjectOf<F> = { readonly fields: F };

/** The type of a field. An array is the closed set of the field's values. */
export type FieldType =
  | ScalarType
  | readonly string[]
  | Nullable<unknown>
  | ListOf<unknown>
  | Private<unknown>
  | ObjectOf<Fields>;

export type Fields = Readonly<Record<string, unknown>>;

export const nullable = <const T extends FieldType>(of: T): Nullable<T> => ({ nullable: of });
export const listOf = <const T extends FieldType>(of: T): ListOf<T> => ({ listOf: of });
export const objectOf = <const F extends Fields>(fields: F): ObjectOf<F> => ({ fields });
/** Marks a field that only the operator and its auditor may read: it is stored in the private part. */
export const inPrivate = <const T extends FieldType>(of: T): Private<T> => ({ private: of });

/** The type of a field's values, without the marks for nullable and private. */
export function bareType(type: unknown): unknown {
  if (typeof type !== 'object' || type === null) return type;
  if ('private' in type) return bareType(type.private);
  return 'nullable' in type ? bareType(type.nullable) : type;
}

type OrNull<T> = T extends Private<infer Of> ? Private<OrNull<Of>> : T extends Nullable<unknown> ? T : Nullable<T>;

function orNull(type: unknown): unknown {
  if (typeof type !== 'object' || type === null) return { nullable: type };
  if ('private' in type) return { private: orNull(type.private) };
  return 'nullable' in type ? type : { nullable: type };
}

/** The same fields, each of them nullable. */
export function eachOrNull<const F extends Fields>(fields: F) {
  const named = Object.entries(fields).map(([name, type]) => [name, orNull(type)]);
  return Object.fromEntries(named) as { readonly [Name in keyof F]: OrNull<F[Name]> };
}

/** The object with its keys in alphabetical order, so that JSON.stringify gives the canonical text. */
export function sortKeys<F extends object>(fields: F): F {
  const values = fields as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(fields).sort()) ordered[name] = values[name];
  return ordered as F;
}

/** Only the values of these fields. */
export function valuesOf<F extends Fields, From extends { readonly [Name in keyof F]: unknown }>(
  fields: F,
  from: From,
) {
  const names = Object.keys(fields) as (keyof F)[];
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, keyof F>;
}

/** The value that a field of this type has. */
export type ValueOf<T> = T extends ScalarType
  ? Scalars[T]
  : T extends readonly (infer Word)[]
    ? Word
    : T extends Nullable<infer Of>
      ? ValueOf<Of> | null
      : T extends ListOf<infer Of>
        ? readonly ValueOf<Of>[]
        : T extends Private<infer Of>
          ? ValueOf<Of>
          : T extends ObjectOf<infer F>
            ? ValuesOf<F>
            : never;

/** The object that these fields describe. */
export type ValuesOf<F> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

/** The object that these fields describe, without the private fields. */
export type PublicValuesOf<F> = {
  readonly [Name in keyof F as F[Name] extends Private<FieldType> ? never : Name]: ValueOf<F[Name]>;
};
