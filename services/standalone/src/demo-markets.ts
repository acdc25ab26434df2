import type { NewMarket } from '@paper/contracts/operator';

/**
 * The markets of the demo: invented questions about real companies, each resolved by what the company publishes. The
 * priors are guesses, which give trading a first price.
 */

interface Company {
  readonly slug: string;
  readonly name: string;
  readonly ticker: string;
  readonly sector: string;
  readonly investors: string;
}

const company = (slug: string, name: string, ticker: string, sector: string, investors: string): Company => ({
  slug,
  name,
  ticker,
  sector,
  investors,
});

const APPLE = company('apple', 'Apple', 'AAPL', 'technology', 'https://investor.apple.com');
const MICROSOFT = company('microsoft', 'Microsoft', 'MSFT', 'technology', 'https://www.microsoft.com/en-us/investor');
const ALPHABET = company('alphabet', 'Alphabet', 'GOOGL', 'technology', 'https://abc.xyz/investor/');
const AMAZON = company('amazon', 'Amazon', 'AMZN', 'technology', 'https://ir.aboutamazon.com');
const META = company('meta', 'Meta Platforms', 'META', 'technology', 'https://investor.atmeta.com');
const NVIDIA = company('nvidia', 'NVIDIA', 'NVDA', 'semiconductors', 'https://investor.nvidia.com');
const AMD = company('amd', 'AMD', 'AMD', 'semiconductors', 'https://ir.amd.com');
const INTEL = company('intel', 'Intel', 'INTC', 'semiconductors', 'https://www.intc.com');
const TSMC = company('tsmc', 'TSMC', 'TSM', 'semiconductors', 'https://investor.tsmc.com/english');
const ASML = company('asml', 'ASML', 'ASML', 'semiconductors', 'https://www.asml.com/en/investors');
const TESLA = company('tesla', 'Tesla', 'TSLA', 'automotive', 'https://ir.tesla.com');
const FORD = company('ford', 'Ford', 'F', 'automotive', 'https://shareholder.ford.com');
const TOYOTA = company('toyota', 'Toyota', 'TM', 'automotive', 'https://global.toyota/en/ir/');
const JPMORGAN = company('jpmorgan', 'JPMorgan Chase', 'JPM', 'financials', 'https://www.jpmorganchase.com/ir');
const VISA = company('visa', 'Visa', 'V', 'financials', 'https://investor.visa.com');
const COINBASE = company('coinbase', 'Coinbase', 'COIN', 'financials', 'https://investor.coinbase.com');
const LILLY = company('eli-lilly', 'Eli Lilly', 'LLY', 'healthcare', 'https://investor.lilly.com');
const NOVO = company('novo-nordisk', 'Novo Nordisk', 'NVO', 'healthcare', 'https://www.novonordisk.com/investors.html');
const PFIZER = company('pfizer', 'Pfizer', 'PFE', 'healthcare', 'https://investors.pfizer.com');
const EXXON = company('exxonmobil', 'ExxonMobil', 'XOM', 'energy', 'https://investor.exxonmobil.com');
const SHELL = company('shell', 'Shell', 'SHEL', 'energy', 'https://www.shell.com/investors.html');
const NEXTERA = company('nextera', 'NextEra Energy', 'NEE', 'energy', 'https://www.investor.nexteraenergy.com');
const WALMART = company('walmart', 'Walmart', 'WMT', 'consumer', 'https://stock.walmart.com');
const COSTCO = company('costco', 'Costco', 'COST', 'consumer', 'https://investor.costco.com');
const NIKE = company('nike', 'Nike', 'NKE', 'consumer', 'https://investors.nike.com');
const STARBUCKS = company('starbucks', 'Starbucks', 'SBUX', 'consumer', 'https://investor.starbucks.com');
const NETFLIX = company('netflix', 'Netflix', 'NFLX', 'media', 'https://ir.netflix.net');
const DISNEY = company('disney', 'Disney', 'DIS', 'media', 'https://thewaltdisneycompany.com/investor-relations/');
const SPOTIFY = company('spotify', 'Spotify', 'SPOT', 'media', 'https://investors.spotify.com');
const BOEING = company('boeing', 'Boeing', 'BA', 'industrials', 'https://investors.boeing.com');
const AIRBUS = company('airbus', 'Airbus', 'AIR', 'industrials', 'https://www.airbus.com/en/investors');
const CATERPILLAR = company('caterpillar', 'Caterpillar', 'CAT', 'industrials', 'https://investor.caterpillar.com');

interface Question {
  /** A suffix for the company's slug. */
  readonly id: string;
  readonly title: string;
  readonly category: string;
  /** The source that decides the outcome; default: the company's published results. */
  readonly settlementSource?: string;
  readonly prior: number;
  readonly closesAt: string;
  readonly companyImpact: number;
  readonly drivers: readonly string[];
  readonly rules: string;
}

export type DemoMarket = NewMarket & { readonly id: string };

function market(about: Company, question: Question): DemoMarket {
  return {
    id: `${about.slug}-${question.id}`,
    title: question.title,
    ticker: about.ticker,
    companySlug: about.slug,
    sector: about.sector,
    category: question.category,
    settlementSource: question.settlementSource ?? `${about.name} investor relations`,
    prior: question.prior,
    closesAt: `${question.closesAt}T23:59:00.000Z`,
    tickSize: 0.01,
    companyImpact: question.companyImpact,
    drivers: [...question.drivers],
    description: `${question.rules} A demo market: the question is made up, and settles in simulated money.`,
    citationUrl: about.investors,
  };
}

export const DEMO_MARKETS: readonly DemoMarket[] = [
  market(APPLE, {
    id: 'services-record-2027',
    title: 'Will Apple report a record quarter for services revenue in calendar 2027?',
    category: 'earnings',
    prior: 0.86,
    closesAt: '2028-02-15',
    companyImpact: 0.6,
    drivers: ['subscriptions', 'app-stores', 'consumer-demand'],
    rules: "Yes if any results that Apple publishes in 2027 show services revenue above every earlier quarter's.",
  }),
  market(APPLE, {
    id: 'foldable-2027',
    title: 'Will Apple have a folding phone on sale by the end of 2027?',
    category: 'product',
    settlementSource: 'Apple newsroom',
    prior: 0.58,
    closesAt: '2027-12-31',
    companyImpact: 0.5,
    drivers: ['consumer-demand', 'hardware', 'supply-chain'],
    rules: 'Yes if Apple takes paid orders for a phone whose screen folds, in any country, by 31 December 2027.',
  }),
  market(MICROSOFT, {
    id: 'azure-growth-2027',
    title: 'Will Microsoft report Azure growth of 30% or more in every quarter of calendar 2027?',
    category: 'earnings',
    prior: 0.41,
    closesAt: '2028-02-10',
    companyImpact: 0.8,
    drivers: ['cloud-spending', 'ai-demand', 'data-centers'],
    rules: 'Yes if each of the four reports gives Azure and other cloud services growth, as reported, of at least 30%.',
  }),
  market(ALPHABET, {
    id: 'cloud-margin-2027',
    title: "Will Google Cloud's operating margin pass 25% in a quarter of calendar 2027?",
    category: 'earnings',
    prior: 0.54,
    closesAt: '2028-02-15',
    companyImpact: 0.5,
    drivers: ['cloud-spending', 'ai-demand', 'data-centers'],
    rules: 'Operating income over revenue of the Google Cloud segment, in any quarter that ends in 2027.',
  }),
  market(ALPHABET, {
    id: 'waymo-cities-2027',
    title: 'Will Waymo carry paying passengers without a driver in 30 or more cities by the end of 2027?',
    category: 'product',
    settlementSource: 'Waymo announcements',
    prior: 0.37,
    closesAt: '2027-12-31',
    companyImpact: 0.3,
    drivers: ['autonomy', 'regulation', 'ride-hailing'],
    rules: 'Cities count where the public can book and pay for rides with nobody at the wheel.',
  }),
  market(AMAZON, {
    id: 'capex-2027',
    title: "Will Amazon's capital spending of 2027 be above that of 2026?",
    category: 'spending',
    prior: 0.79,
    closesAt: '2028-02-15',
    companyImpact: 0.6,
    drivers: ['data-centers', 'ai-demand', 'cloud-spending'],
    rules: 'Purchases of property and equipment in the annual reports of the two years.',
  }),
  market(META, {
    id: 'dividend-2027',
    title: 'Will Meta raise its quarterly dividend in 2027?',
    category: 'capital-return',
    prior: 0.72,
    closesAt: '2027-12-31',
    companyImpact: 0.2,
    drivers: ['advertising', 'capital-return'],
    rules: 'Yes if a quarterly dividend a share declared in 2027 is above the last one declared in 2026.',
  }),
  market(NVIDIA, {
    id: 'data-center-record-2027',
    title: 'Will NVIDIA set a data-center revenue record in each quarter reported in 2027?',
    category: 'earnings',
    prior: 0.47,
    closesAt: '2027-12-15',
    companyImpact: 0.9,
    drivers: ['ai-demand', 'data-centers', 'chips', 'export-controls'],
    rules: 'Each of the four quarterly reports published in 2027 must show a higher figure than all before it.',
  }),
  market(NVIDIA, {
    id: 'gross-margin-2027',
    title: "Will NVIDIA's adjusted gross margin stay at 70% or more in every report of 2027?",
    category: 'earnings',
    prior: 0.68,
    closesAt: '2027-12-15',
    companyImpact: 0.7,
    drivers: ['chips', 'ai-demand', 'supply-chain'],
    rules: 'The non-GAAP gross margin of each quarterly report published in 2027.',
  }),
  market(AMD, {
    id: 'accelerators-2027',
    title: 'Will AMD report more than $15 billion of data-center AI revenue for 2027?',
    category: 'earnings',
    prior: 0.44,
    closesAt: '2028-02-20',
    companyImpact: 0.8,
    drivers: ['ai-demand', 'chips', 'data-centers'],
    rules: 'A figure that AMD itself gives for the year, in a report or on its call; none given is a No.',
  }),
  market(INTEL, {
    id: 'foundry-customer-2027',
    title: 'Will Intel name an outside customer with high-volume production on 14A by the end of 2027?',
    category: 'product',
    settlementSource: 'Intel newsroom',
    prior: 0.29,
    closesAt: '2027-12-31',
    companyImpact: 0.8,
    drivers: ['chips', 'foundries', 'industrial-policy'],
    rules: 'Yes if Intel and the customer both confirm it in public, by name.',
  }),
  market(TSMC, {
    id: 'arizona-2nm-2028',
    title: 'Will TSMC make 2-nanometre wafers in Arizona by the end of June 2028?',
    category: 'product',
    settlementSource: 'TSMC press releases',
    prior: 0.33,
    closesAt: '2028-06-30',
    companyImpact: 0.4,
    drivers: ['chips', 'foundries', 'industrial-policy', 'supply-chain'],
    rules: 'Yes if TSMC says that volume production on that node, or a later one, has begun there.',
  }),
  market(ASML, {
    id: 'sales-2027',
    title: "Will ASML's net sales of 2027 be at least 10% above those of 2026?",
    category: 'earnings',
    prior: 0.52,
    closesAt: '2028-01-31',
    companyImpact: 0.7,
    drivers: ['chips', 'export-controls', 'foundries'],
    rules: 'Total net sales in euros, as in the annual results.',
  }),
  market(TESLA, {
    id: 'deliveries-2027',
    title: 'Will Tesla deliver more than two million vehicles in 2027?',
    category: 'deliveries',
    prior: 0.31,
    closesAt: '2028-01-05',
    companyImpact: 0.7,
    drivers: ['ev-demand', 'interest-rates', 'consumer-demand'],
    rules: 'The sum of the deliveries that Tesla publishes for the four quarters.',
  }),
  market(TESLA, {
    id: 'unsupervised-2027',
    title: 'Will Tesla offer rides to the public with an empty driver’s seat in ten US cities by the end of 2027?',
    category: 'product',
    settlementSource: 'Tesla announcements',
    prior: 0.35,
    closesAt: '2027-12-31',
    companyImpact: 0.8,
    drivers: ['autonomy', 'regulation', 'ride-hailing'],
    rules: 'Cities count where anyone can book, and nobody of the company sits in the car.',
  }),
  market(FORD, {
    id: 'model-e-profit-2027',
    title: "Will Ford's electric-vehicle segment report a profit for any quarter of 2027?",
    category: 'earnings',
    prior: 0.12,
    closesAt: '2028-02-15',
    companyImpact: 0.5,
    drivers: ['ev-demand', 'industrial-policy'],
    rules: 'EBIT of the Model e segment, as reported, above zero.',
  }),
  market(TOYOTA, {
    id: 'solid-state-2028',
    title: 'Will Toyota sell a car with a solid-state battery by the end of 2028?',
    category: 'product',
    settlementSource: 'Toyota newsroom',
    prior: 0.39,
    closesAt: '2028-12-31',
    companyImpact: 0.5,
    drivers: ['ev-demand', 'batteries'],
    rules: 'Yes if a production car with such a battery has been delivered to a customer.',
  }),
  market(JPMORGAN, {
    id: 'net-interest-2027',
    title: "Will JPMorgan Chase's net interest income of 2027 exceed that of 2026?",
    category: 'earnings',
    prior: 0.63,
    closesAt: '2028-01-20',
    companyImpact: 0.6,
    drivers: ['interest-rates', 'credit'],
    rules: 'Reported net interest income of the firm, full years.',
  }),
  market(VISA, {
    id: 'payments-volume-2027',
    title: 'Will Visa report payments volume growth of 8% or more for its fiscal year 2027?',
    category: 'earnings',
    prior: 0.57,
    closesAt: '2027-11-15',
    companyImpact: 0.5,
    drivers: ['consumer-demand', 'payments'],
    rules: 'Growth in constant dollars, as in the results of the fiscal year that ends in September 2027.',
  }),
  market(COINBASE, {
    id: 'annual-profit-2027',
    title: 'Will Coinbase report a net profit for every quarter of 2027?',
    category: 'earnings',
    prior: 0.49,
    closesAt: '2028-02-28',
    companyImpact: 0.6,
    drivers: ['crypto-prices', 'regulation'],
    rules: 'Net income attributable to shareholders above zero in all four reports.',
  }),
  market(LILLY, {
    id: 'oral-launch-2027',
    title: 'Will Eli Lilly report over $5 billion of 2027 revenue from its obesity pill?',
    category: 'earnings',
    prior: 0.46,
    closesAt: '2028-02-15',
    companyImpact: 0.7,
    drivers: ['obesity-drugs', 'drug-pricing'],
    rules: 'Revenue of orforglipron in all its uses, as the annual report states it.',
  }),
  market(NOVO, {
    id: 'sales-growth-2027',
    title: "Will Novo Nordisk's sales grow in 2027 at constant exchange rates?",
    category: 'earnings',
    prior: 0.53,
    closesAt: '2028-02-10',
    companyImpact: 0.8,
    drivers: ['obesity-drugs', 'drug-pricing'],
    rules: 'The growth that the annual results of 2027 give, above zero.',
  }),
  market(PFIZER, {
    id: 'dividend-2028',
    title: 'Will Pfizer keep its quarterly dividend at or above the level of 2026 through the end of 2028?',
    category: 'capital-return',
    prior: 0.77,
    closesAt: '2028-12-31',
    companyImpact: 0.3,
    drivers: ['capital-return', 'drug-pricing'],
    rules: 'No if any dividend declared until then is below the last one declared in 2026.',
  }),
  market(EXXON, {
    id: 'guyana-2027',
    title: 'Will output from Guyana pass one million barrels a day, as an average of a quarter of 2027?',
    category: 'production',
    prior: 0.62,
    closesAt: '2028-02-10',
    companyImpact: 0.4,
    drivers: ['oil-price', 'upstream'],
    rules: 'Gross production of the Stabroek block, as ExxonMobil reports it.',
  }),
  market(SHELL, {
    id: 'buybacks-2027',
    title: 'Will Shell announce buybacks of $3 billion or more in each quarter of 2027?',
    category: 'capital-return',
    prior: 0.61,
    closesAt: '2027-12-31',
    companyImpact: 0.4,
    drivers: ['oil-price', 'capital-return'],
    rules: 'The programme announced with each of the four quarterly results published in 2027.',
  }),
  market(NEXTERA, {
    id: 'backlog-2027',
    title: "Will NextEra's renewables and storage backlog stand above 35 gigawatts at the end of 2027?",
    category: 'production',
    prior: 0.55,
    closesAt: '2028-02-05',
    companyImpact: 0.5,
    drivers: ['data-centers', 'industrial-policy', 'interest-rates'],
    rules: 'The backlog that the results of the fourth quarter of 2027 give.',
  }),
  market(WALMART, {
    id: 'ecommerce-2027',
    title: "Will Walmart's global e-commerce sales grow 20% or more in every quarter reported in 2027?",
    category: 'earnings',
    prior: 0.48,
    closesAt: '2027-12-05',
    companyImpact: 0.5,
    drivers: ['consumer-demand', 'e-commerce', 'tariffs'],
    rules: 'The growth that each of the four quarterly reports published in 2027 gives.',
  }),
  market(COSTCO, {
    id: 'membership-fee-2028',
    title: 'Will Costco announce a higher US membership fee by the end of June 2028?',
    category: 'pricing',
    settlementSource: 'Costco press releases',
    prior: 0.18,
    closesAt: '2028-06-30',
    companyImpact: 0.4,
    drivers: ['consumer-demand', 'subscriptions'],
    rules: 'Announced counts; it need not be in force yet.',
  }),
  market(NIKE, {
    id: 'growth-fy2028',
    title: "Will Nike's revenue grow in every quarter of its fiscal year 2028?",
    category: 'earnings',
    prior: 0.51,
    closesAt: '2028-07-10',
    companyImpact: 0.7,
    drivers: ['consumer-demand', 'tariffs', 'china-demand'],
    rules: 'Reported revenue against the same quarter of the year before, all four quarters.',
  }),
  market(STARBUCKS, {
    id: 'us-transactions-2027',
    title: 'Will Starbucks report more US comparable transactions for its fiscal year 2027 than for the year before?',
    category: 'earnings',
    prior: 0.64,
    closesAt: '2027-11-15',
    companyImpact: 0.6,
    drivers: ['consumer-demand', 'labor-costs'],
    rules: 'The change in comparable transactions of the US segment for the full fiscal year, above zero.',
  }),
  market(NETFLIX, {
    id: 'ad-revenue-2027',
    title: 'Will Netflix say that its advertising revenue of 2027 was at least double that of 2025?',
    category: 'earnings',
    prior: 0.74,
    closesAt: '2028-01-31',
    companyImpact: 0.4,
    drivers: ['advertising', 'subscriptions'],
    rules: 'By figures or words of the company, in a shareholder letter or on a call.',
  }),
  market(DISNEY, {
    id: 'streaming-margin-2027',
    title: "Will Disney's streaming business reach a 10% operating margin for its fiscal year 2027?",
    category: 'earnings',
    prior: 0.66,
    closesAt: '2027-11-30',
    companyImpact: 0.5,
    drivers: ['subscriptions', 'advertising'],
    rules: 'Operating income over revenue of the streaming services, as the annual results give them.',
  }),
  market(SPOTIFY, {
    id: 'users-2027',
    title: 'Will Spotify report 850 million or more monthly users for the end of 2027?',
    category: 'users',
    prior: 0.59,
    closesAt: '2028-02-10',
    companyImpact: 0.5,
    drivers: ['subscriptions', 'advertising'],
    rules: 'Monthly active users at the end of the fourth quarter of 2027, as reported.',
  }),
  market(BOEING, {
    id: 'deliveries-2027',
    title: 'Will Boeing deliver 650 or more commercial aircraft in 2027?',
    category: 'deliveries',
    prior: 0.56,
    closesAt: '2028-01-20',
    companyImpact: 0.8,
    drivers: ['air-travel', 'supply-chain', 'regulation'],
    rules: 'The number of commercial deliveries of the year that Boeing publishes.',
  }),
  market(AIRBUS, {
    id: 'deliveries-2027',
    title: 'Will Airbus deliver 870 or more commercial aircraft in 2027?',
    category: 'deliveries',
    prior: 0.5,
    closesAt: '2028-01-20',
    companyImpact: 0.7,
    drivers: ['air-travel', 'supply-chain'],
    rules: 'The number of commercial deliveries of the year that Airbus publishes.',
  }),
  market(CATERPILLAR, {
    id: 'power-sales-2027',
    title: "Will Caterpillar's power-generation sales to users grow in every quarter of 2027?",
    category: 'earnings',
    prior: 0.7,
    closesAt: '2028-02-10',
    companyImpact: 0.5,
    drivers: ['data-centers', 'tariffs', 'industrial-policy'],
    rules: 'Against the same quarter of the year before, as each quarterly report gives it.',
  }),
];
