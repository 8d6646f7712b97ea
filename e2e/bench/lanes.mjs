// What is measured. `must` and `goal` are the project's performance targets, as ratios to the reference of the same
// round: node-parse, and node-convert for a Messages client over a Chat provider. `ratios` are of Onward as it comes:
// its tools are declared in every request that brings tools, and the time stands behind it. `plain` are of the same
// with both switched off.

const shortStreams = { requests: 12_288, stream: { events: 10, delayMs: 20, stamp: true } }

/**
 * Request size, connections at once, and either milliseconds or a number of requests per round. `warmMs`: how long each
 * target is warmed with this lane before it is measured, else 0.3 of a round. V8 has compiled what runs only after some
 * thousands of requests, at one connection after some 5 s, and before that the figures tell of its interpreter and its
 * compiler. The same for every target, so that none is measured warmer than another. `warm`: what is otherwise in the
 * lane that warms, where a round of this one has too few requests.
 */
export const lanes = [
  {
    id: 'json-2k-c1',
    title: '2 KB body, one at a time',
    bytes: 2_048,
    connections: 1,
    ms: 1_200,
    warmMs: 6_000,
    ratios: { cpuPerRequest: [2.2, 1.5] },
    plain: { cpuPerRequest: [2, 1.4], addedP50: [1.6, 1.2] },
  },
  {
    id: 'json-2k-c64',
    title: '2 KB body, 64 at once',
    bytes: 2_048,
    connections: 64,
    ms: 1_500,
    warmMs: 6_000,
    ratios: { cpuPerRequest: [2.2, 1.5] },
    plain: { cpuPerRequest: [2, 1.4] },
  },
  {
    id: 'json-200k-c1',
    title: '200 KB body, one at a time',
    bytes: 200_000,
    connections: 1,
    ms: 1_500,
    warmMs: 3_000,
    ratios: { cpuPerRequest: [0.5, 0.3], addedP50: [0.7, 0.4] },
    plain: { cpuPerRequest: [0.4, 0.25] },
  },
  {
    id: 'json-200k-c64',
    title: '200 KB body, 64 at once',
    bytes: 200_000,
    connections: 64,
    ms: 2_000,
    warmMs: 3_000,
    ratios: { cpuPerRequest: [0.5, 0.3], perSecond: [1.5, 3] },
    plain: { cpuPerRequest: [0.3, 0.2] },
    memory: { peak: [280, 220] },
  },
  {
    id: 'edit-200k-c4',
    title: '200 KB body with a marker to strip',
    bytes: 200_000,
    connections: 4,
    ms: 1_500,
    warmMs: 3_000,
    marker: true,
    ratios: { cpuPerRequest: [1.4, 0.5] },
  },
  {
    id: 'json-500k-c4',
    title: '500 KB body, 4 at once',
    bytes: 500_000,
    connections: 4,
    ms: 1_500,
    warmMs: 3_000,
    ratios: { cpuPerRequest: [0.5, 0.3] },
    plain: { cpuPerRequest: [0.35, 0.22] },
  },
  {
    id: 'agent-turn-c4',
    title: 'agent turn: 200 KB in, 400 events out',
    bytes: 200_000,
    connections: 4,
    ms: 2_000,
    warmMs: 4_000,
    stream: { events: 400, delayMs: 0 },
    ratios: { cpuPerRequest: [0.8, 0.65] },
    plain: { cpuPerRequest: [0.7, 0.6] },
  },
  {
    id: 'relay-5000-c4',
    title: '5 000 events relayed',
    bytes: 2_048,
    connections: 4,
    requests: 8,
    stream: { events: 5_000, delayMs: 0 },
    ratios: { cpuPerEvent: [1.6, 1.25] },
  },
  {
    id: 'paced-5ms-c8',
    title: 'paced events, 5 ms apart',
    bytes: 2_048,
    connections: 8,
    requests: 8,
    stream: { events: 200, delayMs: 5, stamp: true },
    ratios: { addedEvent: [1.4, 1.1] },
  },
  {
    id: 'slow-512',
    title: '512 slow streams',
    bytes: 2_048,
    connections: 512,
    requests: 512,
    rounds: 2,
    warm: shortStreams,
    stream: { events: 200, delayMs: 20, stamp: true },
    ratios: { eventsDelivered: [0.95, 1] },
    memory: { growth: [30, 12] },
  },
  {
    id: 'convert-200k-c4',
    title: 'Messages to Chat, 200 KB body',
    entry: 'messages',
    bytes: 200_000,
    connections: 4,
    ms: 2_000,
    warmMs: 4_000,
    ratios: { cpuPerRequest: [1.3, 1] },
    plain: { cpuPerRequest: [1.15, 0.9] },
  },
  {
    id: 'convert-turn-c4',
    title: 'Messages to Chat, agent turn: 200 KB in, 400 events out',
    entry: 'messages',
    bytes: 200_000,
    connections: 4,
    ms: 2_000,
    warmMs: 4_000,
    stream: { events: 400, delayMs: 0 },
    ratios: { cpuPerRequest: [1.3, 1] },
    plain: { cpuPerRequest: [1.15, 0.9] },
  },
  {
    id: 'convert-2000-c4',
    title: 'Messages to Chat, 2 000 events',
    entry: 'messages',
    bytes: 2_048,
    connections: 4,
    requests: 24,
    stream: { events: 2_000, delayMs: 0 },
    ratios: { cpuPerEvent: [1, 0.8] },
  },
  {
    id: 'convert-slow-200',
    title: 'Messages to Chat, 200 slow streams',
    entry: 'messages',
    bytes: 2_048,
    connections: 200,
    requests: 200,
    rounds: 2,
    warm: shortStreams,
    stream: { events: 300, delayMs: 20, stamp: true },
    ratios: { eventsDelivered: [0.85, 0.95] },
    memory: { growth: [30, 12] },
  },
]

export const referenceOf = (lane) => (lane.entry === 'messages' ? 'node-convert' : 'node-parse')

/** The targets of a lane: those that speak its client's protocol, the reference among them, and of `peers` all. */
export const targetsOf = (lane, peers = []) =>
  lane.entry === 'messages'
    ? ['node-convert', 'onward-plain', 'onward', ...peers]
    : ['direct', 'node-pipe', 'node-parse', 'onward-plain', 'onward', ...peers]

/** figures for which more is better */
export const higherIsBetter = new Set(['perSecond', 'eventsDelivered'])
