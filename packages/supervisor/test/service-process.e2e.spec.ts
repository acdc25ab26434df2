import { expect } from 'chai';
import { startServiceProcess } from '../src/service-process.ts';

/** Stands in for a service: prints its environment, and that it listens. */
const TELLER = `
process.stderr.write(JSON.stringify(process.env));
process.send({ kind: 'listening', metricsUrl: 'http://127.0.0.1:1/metrics' });
`;
const OF_ROLES = {
  COMMAND_PASSWORD: 'secret',
  PROJECTOR_PASSWORD: 'secret',
  READER_PASSWORD: 'secret',
  COMMAND_DATABASE_URL: 'postgresql://paper_command:secret@127.0.0.1/paper',
  PROJECTOR_DATABASE_URL: 'postgresql://paper_projector:secret@127.0.0.1/paper',
  READER_DATABASE_URL: 'postgresql://paper_reader:secret@127.0.0.1/paper',
};
const GIVEN = {
  ...OF_ROLES,
  DATABASE_URL: 'postgresql://owner:secret@127.0.0.1/paper',
  STARTING_BALANCE: '5000',
};

describe('the process of a service', () => {
  const before: NodeJS.ProcessEnv = {};
  beforeEach(() => {
    for (const name of Object.keys(GIVEN)) before[name] = process.env[name];
    Object.assign(process.env, GIVEN);
  });
  afterEach(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  it("gets its own DATABASE_URL and the general settings, and no other role's password", async () => {
    const own = { DATABASE_URL: 'postgresql://paper_reader:own@127.0.0.1/paper' };
    const program = { args: ['-e', TELLER], cwd: import.meta.dirname };
    const service = await startServiceProcess('query-api', own, { program });
    await service.ended;
    const told = JSON.parse(service.output()) as Record<string, string>;
    expect(told).to.include({ ...own, STARTING_BALANCE: '5000', PATH: process.env['PATH'] });
    expect(told).not.to.have.any.keys(...Object.keys(OF_ROLES));
  });
});
