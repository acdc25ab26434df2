import { startFakeEventStore } from './server.ts';
import { streamSemantics } from './stream-semantics.ts';

streamSemantics('the fake', async () => {
  const fake = await startFakeEventStore();
  return { close: () => fake.close(), connectionString: fake.connectionString() };
});
