import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { propose, parseStoredEvent } from '../src/eventstoredb/layout.ts';
import { canonicalJson } from '../src/index.ts';
import type { StoredEvent } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';

const proposed = (event: StoredEvent) => propose(new streams.AppendReq.ProposedMessage(), event);
const metadataOf = (event: StoredEvent): Record<string, unknown> =>
  JSON.parse(Buffer.from(proposed(event).getCustomMetadata_asU8()).toString()) as Record<string, unknown>;

/** Sends a proposed event through the wire format, as the server would return it. */
function throughTheWire(event: StoredEvent): StoredEvent {
  const sent = streams.AppendReq.ProposedMessage.deserializeBinary(proposed(event).serializeBinary());
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(sent.getId())
    .setStreamRevision(String(event.seq - 1))
    .setData(sent.getData_asU8())
    .setCustomMetadata(sent.getCustomMetadata_asU8());
  for (const [key, value] of sent.getMetadataMap().toArray()) {
    recorded.getMetadataMap().set(key, value);
  }
  const response = new streams.ReadResp().setEvent(new streams.ReadResp.ReadEvent().setEvent(recorded));
  return parseStoredEvent(streams.ReadResp.deserializeBinary(response.serializeBinary()));
}

describe('the layout in EventStoreDB', () => {
  it('gives every golden vector back byte for byte', () => {
    expect(goldenEvents.map(throughTheWire)).to.deep.equal(goldenEvents);
  });

  it('gives any texts back byte for byte, whatever their keys and their order', () => {
    // Keys such as "10" and "2", which a parsed object would put in another order than RFC 8785 does.
    const json = fc.jsonValue().map((value) => {
      try {
        return canonicalJson(value);
      } catch {
        return '{"10":1,"2":2}';
      }
    });
    fc.assert(
      fc.property(json, fc.option(fc.oneof(json, fc.string({ unit: 'grapheme' }))), (publicText, privateText) => {
        const event = { ...goldenEvents[0]!, privateText, publicText };
        expect(throughTheWire(event)).to.deep.equal(event);
      }),
    );
  });

  it('is JSON to the server, and says of which command an event is, for its projections', () => {
    for (const event of goldenEvents) {
      expect(proposed(event).getMetadataMap().get('content-type')).to.equal('application/json');
      expect(proposed(event).getMetadataMap().get('type')).to.equal(event.type);
      const { commandId } = JSON.parse(event.publicText) as { commandId: string };
      expect(metadataOf(event)).to.deep.equal({
        $correlationId: commandId,
        hash: event.hash,
        ...(event.privateText === null ? {} : { privateText: event.privateText }),
      });
    }
  });

  it('does not take foreign text for the id of the command', () => {
    const title = '"commandId":"01900000-0000-7000-8000-00000000beef"';
    const publicText = canonicalJson({ command: { title }, commandId: '01900000-0000-7000-8000-00000000cafe' });
    expect(metadataOf({ ...goldenEvents[0]!, publicText })['$correlationId']).to.equal(
      '01900000-0000-7000-8000-00000000cafe',
    );
  });
});
