import type { NewMarket } from '@paper/contracts/operator';
import demo from './demo-markets.json' with { type: 'json' };

export type DemoMarket = NewMarket & { readonly id: string };

type Company = (typeof demo.companies)['apple'];

/** A question about a company. Its own published results decide the outcome, unless a source is named. */
type Question = (typeof demo.questions)[number] & { readonly settlementSource?: string };

const companies: Readonly<Record<string, Company>> = demo.companies;

/**
 * The markets of the demo: invented questions about real companies, resolved by what the company publishes. The priors
 * are guesses, so that trading has a first price.
 */
export const DEMO_MARKETS: readonly DemoMarket[] = demo.questions.map((question: Question) => {
  const company = companies[question.company];
  if (company === undefined) throw new Error(`there is no company ${question.company}`);
  return {
    id: `${question.company}-${question.id}`,
    title: question.title,
    ticker: company.ticker,
    companySlug: question.company,
    sector: company.sector,
    category: question.category,
    settlementSource: question.settlementSource ?? `${company.name} investor relations`,
    prior: question.prior,
    closesAt: `${question.closesAt}T23:59:00.000Z`,
    tickSize: 0.01,
    companyImpact: question.companyImpact,
    drivers: question.drivers,
    description: `${question.rules} A demo market: the question is made up, and settles in simulated money.`,
    citationUrl: company.investors,
  };
});
