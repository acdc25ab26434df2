/** The body that lists an active market with a tick of a cent and a prior of 0.5; `more` overrides fields. */
export function marketBody(id: string, more: object = {}) {
  return {
    id,
    title: `Will ${id} happen?`,
    ticker: 'TEST',
    companySlug: 'test-co',
    sector: 'technology',
    category: 'test',
    settlementSource: 'tests',
    prior: 0.5,
    closesAt: '2099-01-01T00:00:00.000Z',
    tickSize: 0.01 as const,
    ...more,
  };
}
