import { DECIMAL } from './api-document.ts';
import type { Schema } from './api-document.ts';

/**
 * The places of decimal numbers in a JSON value: 1 for the value itself, a named schema's name, or an object of its
 * properties. An array has the shape of its items.
 */
export type Shape = 1 | string | { readonly [property: string]: Shape };

/** Derives the shapes of schemas; null: the schema has no decimal number. */
export class DecimalShapes {
  readonly #named = new Map<string, Shape | null>();

  constructor(private readonly schemas: Readonly<Record<string, Schema>>) {}

  /** The shape of each named schema that has decimal numbers. */
  get named(): Readonly<Record<string, Shape>> {
    const found = Object.keys(this.schemas).flatMap((name) => {
      const shape = this.#ofName(name);
      return shape === null ? [] : [[name, shape] as const];
    });
    return Object.fromEntries(found);
  }

  of(schema: Schema): Shape | null {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
      return this.#ofName(name) === null ? null : name;
    }
    if (schema.format === DECIMAL) return 1;
    if (schema.items !== undefined) return this.of(schema.items);
    const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (alternatives !== undefined) return this.#union(alternatives);
    const found = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
      const shape = this.of(value);
      return shape === null ? [] : [[name, shape] as const];
    });
    return found.length === 0 ? null : Object.fromEntries(found);
  }

  #ofName(name: string): Shape | null {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const schema = this.schemas[name];
    if (schema === undefined) throw new Error(`no schema ${name}`);
    const shape = this.of(schema);
    this.#named.set(name, shape);
    return shape;
  }

  /** The shape as text, with the shapes of named schemas instead of their names. */
  #resolved(shape: Shape): string {
    const whole = typeof shape === 'string' ? this.#ofName(shape) : shape;
    if (typeof whole !== 'object' || whole === null) return String(whole);
    return JSON.stringify(Object.entries(whole).map(([name, value]) => [name, this.#resolved(value)]));
  }

  /** Merges the shapes of alternatives. @throws Error when a property is decimal in one, and has another shape in a second */
  #union(alternatives: readonly Schema[]): Shape | null {
    const shapes = alternatives.map((one) => this.of(one)).filter((shape) => shape !== null);
    const [only] = shapes;
    if (only === undefined) return null;
    if (shapes.length === 1) return only;
    const merged: Record<string, Shape> = {};
    for (const shape of shapes) {
      const fields = typeof shape === 'string' ? this.#ofName(shape) : shape;
      if (typeof fields !== 'object' || fields === null) throw new Error('a union of objects and numbers');
      for (const [name, value] of Object.entries(fields)) {
        const before = merged[name];
        if (before !== undefined && this.#resolved(before) !== this.#resolved(value)) {
          throw new Error(`${name} has two shapes: ${JSON.stringify(before)} and ${JSON.stringify(value)}`);
        }
        merged[name] = value;
      }
    }
    return merged;
  }
}
