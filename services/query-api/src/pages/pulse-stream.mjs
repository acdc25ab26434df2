/** Pulses come every 2 s. A connection that is silent for this long is dead, even without an error. */
const SILENT_MS = 8_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 10_000;

/**
 * Watches a stream of pulses for as long as the page is open. A browser's EventSource gives up on any answer but a 200,
 * and does not notice a connection that died silently: both are reconnected here.
 * @param {string} url
 * @param {{ onPulse: (pulse: any, seq: number) => void, onState: (state: 'live' | 'lost') => void }} listeners
 * `onState` is called at every change, with `live` before the first pulse of a connection.
 */
export function watchPulse(url, { onPulse, onState }) {
  let retryMs = RETRY_MS_MIN;
  let state = 'connecting';
  let silence = 0;

  const become = (next) => {
    if (state === next) return;
    state = next;
    onState(next);
  };

  const connect = () => {
    const source = new EventSource(url);
    const again = () => {
      clearTimeout(silence);
      source.close();
      become('lost');
      setTimeout(connect, retryMs);
      retryMs = Math.min(RETRY_MS_MAX, retryMs * 2);
    };
    const awaitNext = () => {
      clearTimeout(silence);
      silence = setTimeout(again, SILENT_MS);
    };
    source.onmessage = ({ data, lastEventId }) => {
      retryMs = RETRY_MS_MIN;
      become('live');
      awaitNext();
      onPulse(JSON.parse(data), Number(lastEventId));
    };
    source.onerror = again;
    awaitNext();
  };
  connect();
}
