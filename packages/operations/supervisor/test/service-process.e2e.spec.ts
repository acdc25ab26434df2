import { expect } from 'chai';
import type { ServiceName } from '../src/service-names.ts';
import { startServiceProcess } from '../src/service-process.ts';

/** Stands in for a service: prints its environment, and that it listens. */
const TELLER = `
process.stderr.write(JSON.stringify(process.env));
process.send({ kind: 'listening', metricsUrl: 'http://127.0.0.1:1/metrics' });
`;
const OF_ROLES = {
  COMMAND_DATABASE_URL: 'postgresql://paper_command:secret@127.0.0.1/paper',
  PROJECTOR_DATABASE_URL: 'postgresql://paper_projector:secret@127.0.0.1/paper',
  READER_DATABASE_URL: 'postgresql://paper_reader:secret@127.0.0.1/paper',
  PORTAL_DATABASE_URL: 'postgresql://paper_portal:secret@127.0.0.1/paper',
  BACKTESTS_DATABASE_URL: 'postgresql://paper_backtests:secret@127.0.0.1/paper',
  COMMAND_JOURNAL_URL: 'esdb://paper_command:secret@127.0.0.1:2113?tls=false',
  PROJECTOR_JOURNAL_URL: 'esdb://paper_projector:secret@127.0.0.1:2113?tls=false',
  READER_JOURNAL_URL: 'esdb://paper_reader:secret@127.0.0.1:2113?tls=false',
};
const OF_MCP = { MCP_SECRET: 'a-secret-of-agents-that-is-long-enough' };
const OF_PORTAL = {
  PORTAL_SECRET: 'a-secret-of-the-portal-that-is-long',
  PORTAL_TOKEN: 'a-token-of-the-portal',
  SMTP_URL: 'smtp://paper:secret@127.0.0.1',
  COMPANY_CLIENT_SECRET: 'secret',
};
const GIVEN = {
  ...OF_ROLES,
  ...OF_PORTAL,
  ...OF_MCP,
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

  const environmentOf = async (name: ServiceName, own: Record<string, string>): Promise<Record<string, string>> => {
    const program = { args: ['-e', TELLER], cwd: import.meta.dirname };
    const service = await startServiceProcess(name, own, { program });
    await service.ended;
    return JSON.parse(service.output()) as Record<string, string>;
  };

  it("gets its own DATABASE_URL and the general settings, and no other role's password", async () => {
    const own = { DATABASE_URL: 'postgresql://paper_reader:own@127.0.0.1/paper' };
    const told = await environmentOf('query-api', own);
    expect(told).to.include({ ...own, STARTING_BALANCE: '5000', PATH: process.env['PATH'] });
    expect(told).not.to.have.any.keys(...Object.keys(OF_ROLES), ...Object.keys(OF_PORTAL), ...Object.keys(OF_MCP));
  });

  it('gets the secret of the MCP server only where it is that', async () => {
    expect(await environmentOf('mcp', {}))
      .to.include(OF_MCP)
      .and.not.to.have.any.keys(...Object.keys(OF_PORTAL));
    expect(await environmentOf('portal', {})).not.to.have.any.keys(...Object.keys(OF_MCP));
  });

  it('gets the secrets of the portal only where it is the portal', async () => {
    const told = await environmentOf('portal', {});
    expect(told).to.include(OF_PORTAL);
    expect(told).not.to.have.any.keys(...Object.keys(OF_ROLES));
  });
});
