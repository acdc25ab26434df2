import { keepPlaces } from './places.mjs';
import { watchPulse } from './pulse-stream.mjs';
import { createPulseTable } from './pulse-table.mjs';

const HEALTH_EVERY_MS = 15_000;
const SHOWN_MARKETS = 12;

const whole = new Intl.NumberFormat('en');
const byId = (id) => document.getElementById(id);
/** The API has the page's own base URL, also behind a proxy that adds a path. */
const base = new URL('.', location.href).href.replace(/\/$/, '');

/** Known markets by id: those that were shown. */
const markets = new Map();
const asked = new Set();
const places = keepPlaces(SHOWN_MARKETS);
let exampleShown = false;
let latest = [];

const table = createPulseTable(byId('rows'), (id) => markets.get(id));

showCurls();
void showHealth();
setInterval(() => void showHealth(), HEALTH_EVERY_MS);
void showActivity();
watchPulse('api/stream', {
  onState(state) {
    byId('pulse').dataset.state = state;
    byId('connection').textContent = state === 'live' ? 'Live' : 'Disconnected: trying again …';
    void showHealth();
    if (state === 'live') void showActivity();
  },
  onPulse(pulse, seq) {
    latest = places.of(pulse.markets);
    showPulse();
    showSeq(seq);
    byId('pulsed').textContent = `at ${new Date(pulse.ts).toLocaleTimeString('en', { hourCycle: 'h23' })}`;
    for (const { id } of latest) void askForTitle(id);
  },
});

function showPulse() {
  table.show(latest);
  byId('nothing').hidden = latest.length > 0;
  byId('nothing').textContent =
    'No market is listed yet. Next: npm run import-markets -- --format forecastbench FILE lists some, ' +
    'and npm run open-account -- NAME makes an account.';
  showOrderCurl(latest);
}

async function showHealth() {
  const badge = byId('health');
  try {
    const { body, seq } = await get('api/health');
    badge.dataset.state = body.status === 'ok' ? 'ok' : 'bad';
    badge.textContent = body.status === 'ok' ? 'ok' : `${body.status} (database ${body.database})`;
    byId('version').textContent = body.version;
    showSeq(seq);
  } catch {
    badge.dataset.state = 'bad';
    badge.textContent = 'no answer';
  }
}

async function showActivity() {
  try {
    const { pulse } = (await get('api/activity')).body;
    byId('markets').textContent = `${whole.format(pulse.activeMarkets)} active`;
  } catch {
    // The connection's state shows the failure already, and the next connection asks again.
  }
}

/** Reads a market's title once, since pulses have none. */
async function askForTitle(id) {
  if (markets.has(id) || asked.has(id)) return;
  asked.add(id);
  try {
    markets.set(id, (await get(`api/markets/${encodeURIComponent(id)}`)).body);
    showPulse();
  } catch {
    asked.delete(id);
  }
}

/** Sequences only grow: a read that was answered a moment ago may be older than the pulse. */
function showSeq(seq) {
  const shown = Number(byId('seq').dataset.seq ?? 0);
  if (!(seq >= shown)) return;
  byId('seq').dataset.seq = String(seq);
  byId('seq').textContent = whole.format(seq);
}

function showCurls() {
  byId('curl-markets').textContent = `curl -s '${base}/api/markets?limit=3'`;
  byId('curl-stream').textContent = `curl -sN '${base}/api/stream'`;
  for (const button of document.querySelectorAll('[data-copies]')) {
    // Browsers have no clipboard for pages that came over plain HTTP from another machine.
    button.hidden = navigator.clipboard === undefined;
    button.addEventListener('click', () => void copy(button));
  }
}

/**
 * Shows an example order that fills in one of these markets. Shown once: a command that changes while it is being read
 * is no help.
 */
function showOrderCurl(candidates) {
  const example = candidates.find(({ status, bestYesAsk }) => status === 'active' && bestYesAsk !== null);
  if (exampleShown || example === undefined) return;
  exampleShown = true;
  const order = { marketId: example.id, side: 'buy', outcome: 'yes', orderType: 'market', quantity: 10 };
  byId('curl-order').textContent = [
    'KEY=svc_live_…',
    `curl -s -X POST '${base}/api/orders' \\`,
    `  -H "Authorization: Bearer $KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(order)}'`,
  ].join('\n');
}

async function copy(button) {
  await navigator.clipboard.writeText(byId(button.dataset.copies).textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 1_500);
}

async function get(path) {
  const response = await fetch(path, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return {
    body: await response.json(),
    seq: Number(response.headers.get('x-journal-seq')),
  };
}
