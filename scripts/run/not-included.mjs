/** What the figures in docs/prove/results leave out, by benchmark: the end of a sentence, without a full stop. */
export const NOT_INCLUDED = {
  'account-stream': 'HTTP, the sending of bytes, and the reads of Postgres that a stream begins with',
  alerts:
    'machines that are lost whole, EventStoreDB, an hour at more than 4 orders a second, and receivers other than a webhook',
  audit: 'starting the program and its threads, and a database on another machine',
  backtest:
    'bots that read between two advances, several participants, TLS, rate limits (off), and clients on other machines',
  batch:
    'TLS, the front door, rate limits (off), and clients on other machines, who share no processor with the service',
  'book-stream':
    'TLS, the front door, rate limits (off), and readers and traders on other machines, who share no processor with the service',
  candles: 'rate limits, TLS, markets beyond the eight, and tables that are not in the memory of the machine',
  chaos:
    'machines that fail one by one, and several processes: those are in sim and `npm run bench -- failover`; where power lost is skipped, unsynced writes that a system still has',
  commands:
    'HTTP, reading and checking requests, rate limits, the projection and all reads; clients wait in the same process',
  demo: 'other visitors, the hours after the first ten minutes, and browsers, which read more often than this program',
  'disk-full': 'disks that fail in other ways than by being full, and the loss of power: that is in power-loss',
  exchange:
    'the journal and its flushes, hashing, HTTP, and the writer’s queue; it is one market, and nothing is settled',
  exports: 'starting the program, a journal in EventStoreDB, and a database on another machine',
  failover:
    'the time until clients find the new leader by themselves behind a front door, and the loss of a whole machine',
  fills:
    'TLS, the front door of the standalone, orders beside, and clients on other machines, who share no processor with the service',
  footprint: 'what V8 keeps free for itself, and buffers of connections',
  fuzz: 'services behind the front door, journals in EventStoreDB, and clients that do not wait for their answers',
  leaderboard: 'rate limits, compression, and readers beside who ask for other things',
  neighbour:
    'neighbours on other machines, who take no processor time from the service; a front door; a database elsewhere',
  orders:
    'TLS, the front door, rate limits (off), reads beside, and clients on other machines, who share no processor with the service',
  portal: 'TLS, networks between machines, browsers other than Chromium, and whatever people do beside watching',
  'power-loss':
    'a real machine without power, disks that lie about their flushes, and journals in EventStoreDB, whose loss of power was not tested at all',
  images: 'TLS, other machines, images of others than ours, and a second start, whose files are in memory',
  projector: 'readers beside, Postgres on another machine, and the publishing of pulses',
  reads:
    'connecting, TLS, compression, the front door, rate limits (off), and clients on other machines, who share no processor with the service',
  rebuild:
    'making the rows, checking the sums, continuing where it was cut off, and the swap. For both: trading beside',
  restore:
    'a database on another machine, encryption, people and their passwords, and EventStoreDB, which takes event by event',
  restart:
    'building the services, which start:services does once for their sources, a long journal without a snapshot, and clients who connect again',
  rolling:
    'TLS, networks between machines, a build whose read models or event versions differ, and streams that clients open again',
  signals: 'rate limits, TLS, and readers beside who ask for other things',
  sim: 'real disks, networks and databases, which are simulated, and the processes themselves: those are in chaos',
  startup:
    'starting Postgres, whose cache is warm, and the projector, the query-api and the front door, which start beside',
  stream: 'TLS, the front door, watchers on other machines, and the making of the pulse',
  timers: 'the journal and its flushes, hashing, HTTP, and the writer’s queue',
  wirings: 'TLS, networks between machines, rate limits (off), and a second process of each service',
};
