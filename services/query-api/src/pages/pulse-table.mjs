const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const price = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const whole = new Intl.NumberFormat('en');
const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** The columns after market and probability: the label that a phone shows beside the figure, and the figure. */
const FIGURES = [
  ['Bid', ({ bestYesBid }) => dollars(bestYesBid)],
  ['Ask', ({ bestYesAsk }) => dollars(bestYesAsk)],
  ['Last trade', ({ lastTradePrice }) => dollars(lastTradePrice)],
  ['Volume', ({ volume }) => whole.format(volume)],
];

/**
 * A table of markets in the given order. A row stays the same element while its market is shown, so that focus and
 * selection outlive an update. A changed figure is highlighted for a moment.
 * @param {HTMLElement} body the table's body
 * @param {(id: string) => { title: string, ticker: string, sector: string } | undefined} about
 */
export function createPulseTable(body, about) {
  const rows = new Map();

  return {
    /** Shows these markets and no others. */
    show(markets) {
      const shown = markets.map((market) => {
        const row = rows.get(market.id) ?? createRow(market);
        rows.set(market.id, row);
        row.update(market, about(market.id));
        return row.element;
      });
      for (const [id, { element }] of rows) if (!shown.includes(element)) rows.delete(id);
      // Moving an element loses its focus and animations, so rows move only when the order changes.
      const same = shown.length === body.children.length && shown.every((each, at) => each === body.children[at]);
      if (!same) body.replaceChildren(...shown);
    },
  };
}

function createRow(first) {
  const link = element('a', { href: `market?id=${encodeURIComponent(first.id)}` });
  const facts = element('span', { className: 'about' });
  const move = element('span', { className: 'move' });
  const probability = element('strong');
  const bar = element('span', { className: 'bar', ariaHidden: 'true' });
  const probabilityCell = cell({ className: 'probability' }, move, ' ', probability, bar);
  const figures = FIGURES.map(([name, text]) => ({ text, cell: cell({}), name }));
  for (const { cell: each, name } of figures) each.dataset.name = name;

  const row = element('tr', {}, cell({}, link, facts), probabilityCell, ...figures.map(({ cell: each }) => each));
  row.setAttribute('role', 'row');
  row.dataset.market = first.id;

  return {
    element: row,
    update(market, about) {
      setText(link, about?.title ?? market.id);
      setText(
        facts,
        [about?.ticker, about?.sector, market.status === 'active' ? null : market.status].filter(Boolean).join(' · '),
      );
      if (setText(probability, percent.format(market.probability))) light(probabilityCell);
      bar.style.setProperty('--share', market.probability);
      showMove(move, market.probability - first.probability);
      for (const { text, cell: each } of figures) if (setText(each, text(market))) light(each);
    },
  };
}

/** The change of the probability since the page first showed it, in percentage points. */
function showMove(span, by) {
  const text = points.format(Math.abs(by) * 100);
  const direction = text === '0' ? null : by > 0 ? 'up' : 'down';
  span.className = direction === null ? 'move' : `move ${direction}`;
  span.title = direction === null ? '' : `${direction} ${text} percentage points since this page was opened`;
  setText(span, direction === null ? '' : `${direction === 'up' ? '▲' : '▼'} ${text}`);
}

/** Returns whether it changed a text that was there before. */
function setText(target, text) {
  const before = target.textContent;
  if (before === text) return false;
  target.textContent = text;
  return before !== '';
}

function light(target) {
  target.classList.remove('changed');
  // Reading a layout property in between restarts the animation.
  void target.offsetWidth;
  target.classList.add('changed');
}

const dollars = (value) => (value === null ? '–' : price.format(value));

/** Roles are explicit: on a phone the style turns rows and cells into blocks, which would lose their implied roles. */
function cell(properties, ...children) {
  const made = element('td', properties, ...children);
  made.setAttribute('role', 'cell');
  return made;
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
