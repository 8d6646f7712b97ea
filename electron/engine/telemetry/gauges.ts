import { addSpent } from '../../../shared/cost/cost.ts'
import type { BudgetKind, HoldReason } from '../../../shared/events.ts'
import type { ProviderHealth } from '../../../shared/routing.ts'
import type { StopMessageView } from '../../../shared/state.ts'
import { sessionShapes } from '../../../shared/words.ts'
import type { ObservedName } from './metric-table.ts'
import type { Outages } from './outages.ts'
import type { Readings } from './types.ts'

export interface Reading {
  metric: ObservedName
  value: number
  attributes: Readonly<Record<string, string>>
}

/**
 * Returns the gauges. States and reasons are all there, most of them as 0: the SDK repeats what it was told last of a
 * series that is left out.
 */
export function gaugesOf(readings: Readings, outages: Outages, now: number): readonly Reading[] {
  return [
    ...sessionGauges(readings),
    ...queueGauges(readings, now),
    ...providerGauges(readings, outages.look(readings.providers, now), now),
    ...budgetGauges(readings, now),
    reading('onward.alarms.waiting', readings.alarms.waiting),
    reading('onward.alarms.missed', readings.alarms.missed),
    reading('onward.paused', Number(readings.paused)),
  ]
}

const reading = (metric: ObservedName, value: number, attributes: Reading['attributes'] = {}): Reading => ({
  metric,
  value,
  attributes,
})

function sessionGauges({ sessions }: Readings): Reading[] {
  // One that was put away needs nobody.
  const shown = sessions.filter(({ archived }) => !archived)
  return [
    ...sessionShapes.map((state) =>
      reading('onward.sessions', shown.filter(({ shape }) => shape === state).length, {
        'onward.session.state': state,
      }),
    ),
    reading('onward.sessions.stalled', shown.filter(({ say }) => say.code === 'stalled').length),
  ]
}

const holdReasons = Object.keys({
  'response-running': 0,
  settling: 0,
  'shell-in-front': 0,
  'foreground-unknown': 0,
  'agent-busy': 0,
  'dialog-open': 0,
  typing: 0,
  draft: 0,
  'enter-ignored': 0,
  'not-drawn': 0,
  'screen-unknown': 0,
  'screen-unread': 0,
  stopped: 0,
  'copy-mode': 0,
  'tmux-mode': 0,
  'other-conversation': 0,
  paused: 0,
  behind: 0,
  'near-limit': 0,
  'terminal-offline': 0,
  'inbox-away': 0,
  'store-failed': 0,
} satisfies Record<HoldReason['code'], 0>)

function queueGauges({ waiting }: Readings, now: number): Reading[] {
  const count = (reason: string) => waiting.filter(({ hold }) => (hold?.code ?? 'none') === reason).length
  const oldest = Math.min(now, ...waiting.map(({ createdAt }) => createdAt))
  return [
    ...['none', ...holdReasons].map((reason) =>
      reading('onward.followups.waiting', count(reason), { 'onward.hold.reason': reason }),
    ),
    reading('onward.queue.age', (now - oldest) / 1000),
  ]
}

const healths = [
  'unused',
  'healthy',
  'failing',
  'answers-again',
  'resting-failures',
  'resting-refused',
  'resting-rate',
  'resting-limit',
  'on-trial',
  'some-keys',
  'no-key',
  'forbidden',
] as const

function healthOf(health: ProviderHealth): (typeof healths)[number] {
  if (health.kind !== 'resting') return health.kind
  // Its other models still answer.
  return health.models.length > 0 ? 'answers-again' : `resting-${health.rest.why}`
}

const up: ReadonlySet<(typeof healths)[number]> = new Set(['unused', 'healthy', 'answers-again', 'some-keys'])

function providerGauges({ providers }: Readings, outage: ReadonlyMap<string, number>, now: number): Reading[] {
  return providers.flatMap(({ id, health, quotas, failingSince }) => {
    const of = { 'onward.provider': id }
    const is = healthOf(health)
    return [
      reading('onward.provider.up', Number(up.has(is)), of),
      ...healths.map((state) =>
        reading('onward.provider.health', Number(state === is), { ...of, 'onward.provider.state': state }),
      ),
      reading('onward.provider.outage', failingSince === undefined ? 0 : Math.max(0, now - failingSince) / 1000, of),
      reading('onward.provider.outage.time', outage.get(id) ?? 0, of),
      ...quotas.flatMap(({ window, usedPercent, subject }) =>
        usedPercent === null
          ? []
          : reading('onward.provider.quota.used', usedPercent / 100, {
              ...of,
              'onward.quota.window': subject ? `${window} ${subject.name}` : window,
            }),
      ),
    ]
  })
}

const budgetKinds = ['rounds', 'time', 'no-progress', 'tokens', 'cost'] as const satisfies readonly BudgetKind[]

function budgetGauges({ sessions, budgets }: Readings, now: number): Reading[] {
  const used = sessions.map(({ stopMessage }) => budgetUse(stopMessage, budgets, now))
  return budgetKinds.map((kind) =>
    reading('onward.budget.used', Math.max(0, ...used.map((one) => one[kind] ?? 0)), { 'onward.budget': kind }),
  )
}

/** The used part of each budget that can stop the goal; a number of rounds without a reviewer is never stopped. */
function budgetUse(
  stopMessage: StopMessageView | null,
  budgets: Readings['budgets'],
  now: number,
): Partial<Record<BudgetKind, number>> {
  const goal = stopMessage?.goal
  if (!stopMessage || !goal || stopMessage.status.kind === 'done' || stopMessage.status.kind === 'failed') return {}
  const { max, review, used } = stopMessage
  if (max !== null && !review) return {}
  const { rounds, hours, noProgressRounds, tokens, costUsd } = budgets
  const spent = addSpent(goal.spent, goal.reviewSpent)
  const part = (value: number, limit: number | null | undefined) => (limit ? value / limit : 0)
  return {
    rounds: max === null ? part(used - goal.from.used, rounds) : 0,
    time: part((now - goal.from.at) / 3_600_000, hours),
    'no-progress': part(goal.stuck, noProgressRounds),
    tokens: part(spent.tokens, tokens),
    cost: part(spent.costUsd ?? 0, costUsd),
  }
}
