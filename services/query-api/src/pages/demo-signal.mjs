/** The source of all signals that the demo invents. This page shows only these, so that it confirms no real news. */
const SOURCE = 'Demo (invented)';
const ENTRIES_A_PAGE = 500;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const byId = (id) => document.getElementById(id);
const share = (value) => (value === null ? '–' : percent.format(value));

const query = new URLSearchParams(location.search);
const market = query.get('market') ?? '';
const signal = query.get('signal');

try {
  const entry = market === '' ? null : await find();
  if (entry === null) {
    byId('state').textContent = 'There is no such signal of the demo here.';
  } else {
    show(entry);
    byId('state').textContent = '';
  }
} catch {
  byId('state').textContent = 'The service does not answer. Load this page again.';
}

/** The signal of this id, or without one the market's outcome; null if the timeline has none. */
async function find() {
  let path = `api/markets/${encodeURIComponent(market)}/events?limit=${ENTRIES_A_PAGE}`;
  while (path !== null) {
    const response = await fetch(path, { headers: { accept: 'application/json' } });
    if (response.status === 404 || response.status === 400) return null;
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const { timeline } = await response.json();
    const found = timeline.find(
      ({ externalId, kind, source }) =>
        source === SOURCE && (signal === null ? kind === 'resolution' : kind === 'signal' && externalId === signal),
    );
    if (found !== undefined) return found;
    path = /<\/?([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  }
  return null;
}

function show(entry) {
  byId('headline').textContent = entry.headline;
  byId('about').textContent = `${entry.source}, ${moment.format(new Date(entry.date))}`;
  byId('market').href = `markets/${encodeURIComponent(market)}`;
  const figures = [
    ['Fair value', share(entry.fairProb)],
    ['Confidence', share(entry.confidence)],
    ['Price before', share(entry.marketProbBefore)],
    ['Price after', share(entry.marketProbAfter)],
  ];
  byId('figures').replaceChildren(
    ...figures.map(([name, value]) => {
      const item = document.createElement('div');
      item.append(
        Object.assign(document.createElement('dt'), { textContent: name }),
        Object.assign(document.createElement('dd'), { textContent: value }),
      );
      return item;
    }),
  );
  byId('headline').closest('section').hidden = false;
}
