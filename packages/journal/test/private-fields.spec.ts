import type { Command, EventType } from '@paper/exchange';
import { expect } from 'chai';
import { commandVersion } from '../src/command-formats.ts';
import { EVENT_FORMATS, eventVersion } from '../src/event-formats.ts';
import { PRIVATE_COMMAND_FIELDS, PRIVATE_EVENT_FIELDS } from '../src/private-fields.ts';

describe('the table of private fields', () => {
  it('has a list for every version of each type that it names, in alphabetical order', () => {
    for (const [type, versions] of Object.entries(PRIVATE_EVENT_FIELDS)) {
      expect(versions, type).to.have.length(eventVersion(type as EventType));
      for (const fields of versions) expect(fields, type).to.deep.equal([...fields].sort());
    }
    for (const [type, versions] of Object.entries(PRIVATE_COMMAND_FIELDS)) {
      expect(versions, type).to.have.length(commandVersion(type as Command['type']));
      for (const fields of versions) expect(fields, type).to.deep.equal([...fields].sort());
    }
  });

  it('names fields that the event of that version has, and never its type or time', () => {
    for (const [type, versions] of Object.entries(PRIVATE_EVENT_FIELDS)) {
      const { former, schema } = EVENT_FORMATS[type as EventType];
      const shapes = [...former.map((one) => one.schema), schema] as unknown as { shape: object }[];
      for (const [index, fields] of versions.entries()) {
        if (fields.length > 0) expect(shapes[index]?.shape, type).to.include.all.keys(...fields);
        expect(fields, type).not.to.include.members(['type']).and.not.to.include.members(['at']);
      }
    }
  });
});
