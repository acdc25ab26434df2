import { z } from 'zod';
import { ERRORS } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { count, fraction, money } from './numbers.ts';
import { timestamp } from './text.ts';
import { dollars, iso, probability } from './units.ts';

/**
 * An answer, declared once by its fields: its schema, the type of the view that it is made of, and the conversion to
 * JSON follow. In a view, money is in units and a time in ms; `units`, `chance` and `time` take the name of the view's
 * field. The fields' order is that of the JSON.
 */

/** A schema of objects that refuses unknown fields. @param id its name in the OpenAPI document */
export function namedObject<const S extends z.core.$ZodShape>(id: string, shape: S) {
  return z.strictObject(shape).meta({ id });
}

/** The schema of an error's code. */
export const errorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

/** A field that has the same name and form in the view. */
export interface Same<S extends z.ZodType> {
  readonly schema: S;
  readonly make: null;
}

/** A field that is computed from the view. */
export interface Made<S extends z.ZodType, View> {
  readonly schema: S;
  readonly make: (view: View) => z.output<S>;
}

type Fields = Readonly<Record<string, Same<z.ZodType> | Made<z.ZodType, never>>>;

/** A readonly version of the lists in a view. */
type Viewed<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

type FieldView<Name extends string, Field> =
  Field extends Made<z.ZodType, infer View>
    ? View
    : Field extends Same<infer S>
      ? { readonly [N in Name]: Viewed<z.output<S>> }
      : never;

type Intersected<Union> = (Union extends unknown ? (_: Union) => void : never) extends (_: infer All) => void
  ? All
  : never;
/** Flattens an intersection of types, so that the compiler's messages show the fields. */
type Flat<T> = T extends infer Fields ? { readonly [N in keyof Fields]: Fields[N] } : never;
type FieldsView<F extends Fields> = Flat<
  Intersected<{ [N in keyof F & string]: FieldView<N, F[N]> }[keyof F & string]>
>;
type Schemas<F extends Fields> = { readonly [N in keyof F]: F[N]['schema'] };

export interface DeclaredAnswer<F extends Fields> {
  readonly fields: F;
  readonly schema: z.ZodObject<Schemas<F>, z.core.$strict>;
  /** The JSON of a view, without the fields whose value is undefined. */
  readonly body: (view: FieldsView<F>) => z.output<z.ZodObject<Schemas<F>, z.core.$strict>>;
}

/** The view that an answer is made from. */
export type ViewOf<A> = A extends DeclaredAnswer<infer F> ? FieldsView<F> : never;
/** The JSON of an answer. */
export type BodyOf<A extends { readonly schema: z.ZodType }> = z.output<A['schema']>;

/** Declares an answer. @param id its name in the OpenAPI document; null for a part of another answer */
export function answer<const F extends Fields>(id: string | null, fields: F): DeclaredAnswer<F> {
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  const schema = z.strictObject(schemas as Schemas<F>);
  const made = Object.entries(fields) as [string, Same<z.ZodType> | Made<z.ZodType, unknown>][];
  return {
    fields,
    schema: id === null ? schema : schema.meta({ id }),
    body: (view) => {
      const values = view as Readonly<Record<string, unknown>>;
      const body: Record<string, unknown> = {};
      for (const [name, { make }] of made) {
        const value = make === null ? values[name] : make(values);
        if (value !== undefined) body[name] = value;
      }
      return body as z.output<typeof schema>;
    },
  };
}

export function same<S extends z.ZodType>(schema: S, description?: string): Same<S> {
  return { schema: described(schema, description), make: null };
}

/** Declares a field that has another name in the view, in the same form. */
export function renamed<S extends z.ZodType, N extends string>(schema: S, name: N, description?: string) {
  const shown = described(schema, description);
  return computed(shown, (view: { readonly [_ in N]: Viewed<z.output<S>> }) => view[name] as z.output<S>);
}

export function computed<S extends z.ZodType, View>(schema: S, make: (view: View) => z.output<S>): Made<S, View> {
  return { schema, make };
}

export function described<S extends z.ZodType>(schema: S, description: string | undefined): S {
  return description === undefined ? schema : schema.describe(description);
}

/** Declares fields that convert a value of the view; null stays null. */
function converted<T, S extends z.ZodType>(schema: S, convert: (value: T) => z.output<S>) {
  return <N extends string>(name: N, description?: string): Made<S, { readonly [_ in N]: T }> =>
    computed(described(schema, description), (view) => convert(view[name]));
}

function orNull<T, R>(convert: (value: T) => R) {
  return (value: T | null): R | null => (value === null ? null : convert(value));
}

/** A field in dollars, made from units. */
export const units = converted(money, dollars);
export const unitsOrNull = converted(money.nullable(), orNull(dollars));
/** A field with a probability, made from half units. */
export const chance = converted(fraction, probability);
export const chanceOrNull = converted(fraction.nullable(), orNull(probability));
/** A field with a timestamp, made from milliseconds. */
export const time = converted(timestamp, iso);
export const timeOrNull = converted(timestamp.nullable(), orNull(iso));

/** An object within the answer, made from the same view. */
export function object<F extends Fields>(of: DeclaredAnswer<F>, description?: string) {
  return computed(described(of.schema, description), of.body);
}

/** An object within the answer, made from the view that the view has under this name. */
export function objectAt<N extends string, F extends Fields>(name: N, of: DeclaredAnswer<F>, description?: string) {
  const schema = described(of.schema, description);
  return computed(schema, (view: { readonly [_ in N]: FieldsView<F> }) => of.body(view[name]));
}

/** A list of objects, made from the list of views that the view has under this name. */
export function list<N extends string, F extends Fields>(name: N, item: DeclaredAnswer<F>, description?: string) {
  const schema = described(z.array(item.schema), description);
  return computed(schema, (view: { readonly [_ in N]: readonly FieldsView<F>[] }) => view[name].map(item.body));
}

/** The number of items of the list that the view has under this name. */
export function lengthOf<N extends string>(name: N) {
  const schema = count.describe('The number of items in this answer.');
  return computed(schema, (view: { readonly [_ in N]: readonly unknown[] }) => view[name].length);
}
