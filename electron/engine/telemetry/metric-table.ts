/** A metric: its kind, its unit and what it tells. In Prometheus dots are underscores, and counters end in _total. */
interface MetricFacts {
  kind: 'counter' | 'histogram' | 'gauge' | 'observed-counter'
  /** as UCUM has it */
  unit: string
  about: string
  buckets?: readonly number[]
}

// Names, units and buckets of gen_ai.* are those of the semantic conventions 1.41.1.
const tokenBuckets = Array.from({ length: 14 }, (_, i) => 4 ** i)
const secondBuckets = Array.from({ length: 14 }, (_, i) => 2 ** i / 100)

export const metricTable = {
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    about: 'Tokens of a turn, by type.',
    buckets: tokenBuckets,
  },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'How long a turn took.',
    buckets: secondBuckets,
  },
  'gen_ai.client.operation.time_to_first_chunk': {
    kind: 'histogram',
    unit: 's',
    about: 'How long a stream took to begin.',
    buckets: secondBuckets,
  },
  'onward.turns': { kind: 'counter', unit: '{turn}', about: 'Requests of clients, by kind and finish.' },
  'onward.cost': { kind: 'counter', unit: 'USD', about: 'What turns with a known price cost.' },
  'onward.provider.failures': { kind: 'counter', unit: '{attempt}', about: 'Attempts without an answer.' },
  'onward.decisions': { kind: 'counter', unit: '{decision}', about: 'Stops that were followed up, or why not.' },
  'onward.rounds': { kind: 'counter', unit: '{round}', about: 'Rounds of stopMessage that were used.' },
  'onward.followups': { kind: 'counter', unit: '{followup}', about: 'Followups, by what became of them.' },
  'onward.receipts': { kind: 'counter', unit: '{receipt}', about: 'Followups that a request proved.' },
  'onward.receipt.delay': {
    kind: 'histogram',
    unit: 's',
    about: 'From Enter to the receipt.',
    buckets: secondBuckets,
  },
  'onward.holds': { kind: 'counter', unit: '{hold}', about: 'Followups held back, by reason.' },
  'onward.alarms': { kind: 'counter', unit: '{alarm}', about: 'Alarms that rang, were delivered or missed.' },
  'onward.recoveries': { kind: 'counter', unit: '{event}', about: 'What was done after failures and limits.' },
  'onward.problems': { kind: 'counter', unit: '{problem}', about: 'Faults of Onward itself, by code.' },
  'onward.sessions': { kind: 'gauge', unit: '{session}', about: 'Sessions, by state.' },
  'onward.sessions.stalled': { kind: 'gauge', unit: '{session}', about: 'Agents that seem stuck.' },
  'onward.followups.waiting': { kind: 'gauge', unit: '{followup}', about: 'Followups not typed yet, by reason.' },
  'onward.queue.age': { kind: 'gauge', unit: 's', about: 'Age of the oldest followup that waits.' },
  'onward.provider.up': { kind: 'gauge', unit: '1', about: '1: its last call went well, or none was made.' },
  'onward.provider.health': { kind: 'gauge', unit: '1', about: '1 at the state that a provider is in.' },
  'onward.provider.outage': { kind: 'gauge', unit: 's', about: 'How long a provider has failed by now.' },
  'onward.provider.outage.time': { kind: 'observed-counter', unit: 's', about: 'How long it failed in all.' },
  'onward.provider.quota.used': { kind: 'gauge', unit: '1', about: 'Used part of a window, as the provider says.' },
  'onward.alarms.waiting': { kind: 'gauge', unit: '{alarm}', about: 'Alarms that are set.' },
  'onward.alarms.missed': { kind: 'gauge', unit: '{alarm}', about: 'Missed alarms that wait for a decision.' },
  'onward.budget.used': { kind: 'gauge', unit: '1', about: 'Used part of the fullest budget of its kind.' },
  'onward.paused': { kind: 'gauge', unit: '1', about: '1: everything is paused.' },
} as const satisfies Readonly<Record<string, MetricFacts>>

export type MetricName = keyof typeof metricTable
type OfKind<K extends MetricFacts['kind']> = {
  [N in MetricName]: (typeof metricTable)[N]['kind'] extends K ? N : never
}[MetricName]
export type CounterName = OfKind<'counter'>
export type HistogramName = OfKind<'histogram'>
export type ObservedName = OfKind<'gauge' | 'observed-counter'>
