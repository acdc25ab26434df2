import type { z } from 'zod';
import { EVENT_FORMATS } from './event-formats.ts';
import { PRIVATE_COMMAND_FIELDS, privateCommandFields, privateEventFields } from './private-fields.ts';

/** A version of a type, with its fields by who may read them. */
export interface DescribedEvent {
  readonly type: string;
  readonly version: number;
  readonly publicFields: readonly string[];
  readonly privateFields: readonly string[];
}

/** Every version of every type of event, from its declaration: what documents say of them is made of this. */
export function describedEvents(): readonly DescribedEvent[] {
  return Object.entries(EVENT_FORMATS).flatMap(([type, { former, schema }]) =>
    [...former.map((one) => one.schema), schema].map((one, index) => {
      const version = index + 1;
      const privateFields = privateEventFields(type, version) ?? [];
      // All events are plain objects.
      const fields = Object.keys((one as unknown as z.ZodObject).shape).filter((field) => field !== 'type');
      return { type, version, privateFields, publicFields: fields.filter((field) => !privateFields.includes(field)) };
    }),
  );
}

/** The private fields of commands that have others than all commands have, by version. */
export function describedCommands(): readonly Omit<DescribedEvent, 'publicFields'>[] {
  return Object.entries(PRIVATE_COMMAND_FIELDS).flatMap(([type, versions]) =>
    versions.map((_, index) => ({
      type,
      version: index + 1,
      privateFields: privateCommandFields(type, index + 1) ?? [],
    })),
  );
}
