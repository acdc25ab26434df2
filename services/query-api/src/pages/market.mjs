import { watchPulse } from './pulse-stream.mjs';

const LEVELS = 10;
const TRADES = 20;
const ENTRIES = 100;
/** While the market moves it is read at this interval, and not at every pulse. */
const READ_EVERY_MS = 4_000;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const price = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const whole = new Intl.NumberFormat('en');
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const byId = (id) => document.getElementById(id);
const dollars = (value) => (value === null ? '–' : price.format(value));
const time = (text) => moment.format(new Date(text));

const id = new URLSearchParams(location.search).get('id') ?? '';
const path = `api/markets/${encodeURIComponent(id)}`;
let shownSeq = -1;
let reading = false;
let readAtMs = -Infinity;
let watching = false;

byId('json').href = path;
void read();

function watch() {
  if (watching) return;
  watching = true;
  watchPulse(`api/stream?marketId=${encodeURIComponent(id)}`, {
    onState(state) {
      byId('state').textContent = state === 'live' ? '' : 'Disconnected: trying again …';
    },
    onPulse({ markets: [market] }) {
      if (market === undefined) return;
      showFigures(market);
      const isDue = performance.now() - readAtMs >= READ_EVERY_MS;
      if (market.seq > shownSeq && isDue && !reading) void read();
    },
  });
}

/** Reads and shows the whole market. */
async function read() {
  reading = true;
  readAtMs = performance.now();
  try {
    const [market, book, events] = await Promise.all([
      get(path),
      get(`api/orderbook/${encodeURIComponent(id)}`),
      get(`${path}/events?limit=${ENTRIES}`),
    ]);
    shownSeq = market.seq;
    showMarket(market);
    showFigures(market);
    showLevels(byId('bids'), book.yes.bids);
    showLevels(byId('asks'), book.yes.asks);
    const newestFirst = [...events.timeline].reverse();
    const trades = newestFirst.filter(({ kind }) => kind === 'trade').slice(0, TRADES);
    showEntries(byId('trades'), trades, 'Nothing was traded yet.');
    showEntries(
      byId('timeline'),
      newestFirst.filter(({ kind }) => kind !== 'trade'),
      'No news was cited yet.',
    );
    byId('details').hidden = false;
    byId('state').textContent = '';
    watch();
  } catch (error) {
    byId('state').textContent =
      error.status === 404 || error.status === 400
        ? 'There is no market of this name.'
        : 'The service does not answer. Trying again …';
    if (error.status !== 404 && error.status !== 400) setTimeout(() => void read(), READ_EVERY_MS);
  } finally {
    reading = false;
  }
}

function showMarket(market) {
  document.title = `${market.title} – Paper Trading Service`;
  byId('title').textContent = market.title;
  const facts = [market.ticker, market.sector, market.phase, `closes ${time(market.closesAt)}`];
  byId('facts').textContent = facts.filter(Boolean).join(' · ');
  byId('description').textContent = market.description ?? '';
  byId('source').replaceChildren('Settled by ', ...cited(market.settlementSource, market.citationUrl), '.');
}

function showFigures(market) {
  const { bestYesBid, bestYesAsk, lastTradePrice, probability, volume } = market;
  const figures = [
    ['Probability', percent.format(probability)],
    ['Bid, ask', `${dollars(bestYesBid)}, ${dollars(bestYesAsk)}`],
    ['Last trade', dollars(lastTradePrice)],
    ['Volume', `${whole.format(volume)} shares`],
  ];
  const list = byId('figures');
  if (list.hidden) {
    list.append(...figures.map(([name]) => element('div', {}, element('dt', { textContent: name }), element('dd'))));
    list.hidden = false;
  }
  list.querySelectorAll('dd').forEach((target, at) => setText(target, figures[at][1]));
}

function showLevels(table, levels) {
  const head = element('tr', {}, ...['Price', 'Shares', 'Orders'].map((name) => heading(name)));
  const rows = levels
    .slice(0, LEVELS)
    .map(({ orders, price: at, quantity }) =>
      element('tr', {}, ...[price.format(at), whole.format(quantity), whole.format(orders)].map((text) => cell(text))),
    );
  if (rows.length === 0) rows.push(element('tr', {}, Object.assign(cell('Nobody.'), { colSpan: 3 })));
  table.querySelectorAll('thead, tbody').forEach((part) => part.remove());
  table.append(element('thead', {}, head), element('tbody', {}, ...rows));
}

function showEntries(list, entries, nothing) {
  const items = entries.map((entry) =>
    element(
      'li',
      {},
      element('span', { className: 'what' }, ...cited(entry.headline, entry.citationUrl), ` (${entry.source})`),
      element('span', { className: 'price', textContent: percent.format(entry.probability) }),
      element('time', { className: 'when', dateTime: entry.date, textContent: time(entry.date) }),
    ),
  );
  list.replaceChildren(...(items.length > 0 ? items : [element('li', { className: 'note', textContent: nothing })]));
}

/** Text with a link where it cites a web address. It is never parsed as markup. */
function cited(text, address) {
  if (address === null || !/^https?:\/\//.test(address)) return [text];
  return [element('a', { href: address, rel: 'noopener noreferrer', textContent: text })];
}

const heading = (text) => element('th', { scope: 'col', textContent: text });
const cell = (text) => element('td', { textContent: text });

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

async function get(from) {
  const response = await fetch(from, { headers: { accept: 'application/json' } });
  if (!response.ok) throw Object.assign(new Error(`${from}: ${response.status}`), { status: response.status });
  return response.json();
}
