import { isWell, MINUTE } from './fault-plan.ts'
import type { FleetCall, FleetProvider } from './fleet.ts'
import type { FleetDay } from './fleet-day.ts'
import type { FleetTurn } from './fleet-client.ts'

/**
 * A rule for a day, checked from outside: from what providers and clients saw. It returns its breaches as sentences.
 */
export type Rule = (day: FleetDay) => string[]

/** The longest time that a call may hang, and that a provider may rest after it. */
const LONGEST = 10 * MINUTE
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 23)
const callsOf = (day: FleetDay): Map<string, FleetCall[]> => {
  const by = new Map<string, FleetCall[]>()
  for (const call of day.calls) by.set(call.turn, [...(by.get(call.turn) ?? []), call])
  return by
}
const hasHead = (turn: FleetTurn): boolean => turn.heads.length > 0
const triedHeader = (turn: FleetTurn): string => String(turn.heads[0]?.headers['x-onward-tried'] ?? '')

export const oneEnd: Rule = (day) =>
  day.turns.flatMap((turn) => {
    const { id, heads, ended, error, text } = turn
    if (ended === 'left') return []
    if (error)
      return heads.length > 0 || error.status < 400 || error.code === '' || !/^[A-Z].*\.$/s.test(error.message)
        ? [`${id}: ${error.status} ${error.code} “${error.message}” after ${heads.length} heads`]
        : []
    if (heads.length !== 1 || ended !== 'whole') return [`${id}: ${heads.length} heads, ended ${String(ended)}`]
    const answers = new Set(text.match(/answer of \w to \w+/g) ?? [])
    const isGood = heads[0]?.status === 200 && !turn.brokenOff
    if (isGood ? answers.size !== 1 || !text.includes(` to ${id}`) : answers.size > 1)
      return [`${id}: answers ${[...answers].join(', ')} in ${text}`]
    return turn.brokenOff && !/error/.test(text) ? [`${id}: broke off without a word: ${text}`] : []
  })

/** The client learns the name of every provider that was called in vain. */
export const named: Rule = (day) => {
  const calls = callsOf(day)
  return day.turns
    .filter(({ ended }) => ended !== 'left')
    .flatMap((turn) => {
      const all = calls.get(turn.id) ?? []
      const inVain = hasHead(turn) ? all.slice(0, -1) : all
      const said = turn.error?.message ?? triedHeader(turn)
      const missing = inVain.filter(
        ({ provider, key }) =>
          !said.replaceAll('/m', '.m').includes(`${provider}.m${key === '0' ? '' : ` (key k${key})`}: `),
      )
      const twice = all.length !== new Set(all.map(({ provider, key }) => provider + key)).size
      if (twice) return [`${turn.id}: called ${all.map(({ provider, key }) => provider + key).join(' ')}`]
      return missing.length > 0
        ? [`${turn.id} says “${said}” but called ${all.map(({ provider, key }) => provider + key).join(' ')}`]
        : []
    })
}

/** True if the provider has long been in good health, and no failure of it is known. */
function sound(day: FleetDay): (provider: FleetProvider, from: number, to: number) => boolean {
  const by = new Map(
    day.providers.map(({ id }) => [id, day.calls.filter((call) => call.provider === id && call.result !== 'left')]),
  )
  return ({ id, plan }, from, to) => {
    if (!isWell(plan, from - LONGEST - MINUTE, to)) return false
    const last = new Map<string, FleetCall>()
    for (const call of by.get(id) ?? []) if ((call.goodAt ?? call.doneAt ?? Infinity) <= from) last.set(call.key, call)
    return (
      [...last.values()].every(({ result }) => result === 'good') &&
      [...last.values()].some(({ at }) => at > from - 120 * MINUTE)
    )
  }
}

/** No error while a provider is well, unless others used up the client's patience. */
export const served: Rule = (day) => {
  const isSound = sound(day)
  return day.turns.flatMap((turn) => {
    const { at, doneAt } = turn
    if (!turn.error || (doneAt ?? at) - at >= MINUTE) return []
    const well = day.providers.find((provider) => isSound(provider, at, doneAt ?? at))
    return well ? [`${turn.id} at ${clock(at)}: ${turn.error.message} while ${well.id} was well`] : []
  })
}

export interface Moves {
  all: number
  breaches: string[]
}

/** A session moves away only from a provider that has failed, or back home after an hour. */
export function moves(day: FleetDay, stickyMinutes: number): Moves {
  const calls = callsOf(day)
  const sessions = new Map<string, { turn: FleetTurn; call: FleetCall }[]>()
  for (const turn of day.turns.toSorted((a, b) => a.at - b.at)) {
    const good = calls.get(turn.id)?.find(({ goodAt }) => goodAt !== null)
    if (good) sessions.set(turn.session, [...(sessions.get(turn.session) ?? []), { turn, call: good }])
  }
  const breaches: string[] = []
  let all = 0
  for (const [session, list] of sessions) {
    let since = list[0]?.turn.at ?? 0
    for (const [i, { turn, call }] of list.entries()) {
      const before = list[i - 1]
      const from = before?.call.goodAt ?? 0
      // Turns that overlap know nothing of each other.
      if (
        !before ||
        turn.at < from ||
        list.some((other) => other !== before && other.turn.at < turn.at && (other.turn.doneAt ?? 0) > from)
      )
        continue
      if (before.call.provider === call.provider) {
        if (turn.at - from > stickyMinutes * MINUTE) since = turn.at
        continue
      }
      all++
      const left = day.providers.find(({ id }) => id === before.call.provider)
      const failed = day.calls.some(
        ({ provider, doneAt, at, result }) =>
          provider === left?.id &&
          result !== 'good' &&
          result !== 'left' &&
          at <= turn.at + LONGEST &&
          (doneAt ?? Infinity) > from - 2 * LONGEST,
      )
      const isLimited = left !== undefined && !isWell(left.plan, from - LONGEST, turn.at)
      const idle = turn.at - from > stickyMinutes * MINUTE
      const isHome = call.provider === day.homeOf(session)
      const wentHome = isHome && (idle || turn.at - since >= 60 * MINUTE)
      if (!failed && !isLimited && !wentHome && !(idle && left?.id !== day.homeOf(session)))
        breaches.push(`${session} ${turn.id} at ${clock(turn.at)}: ${before.call.provider} → ${call.provider}`)
      since = turn.at
    }
  }
  return { all, breaches }
}

type Change = { at: number; what: 'start' | 'head' | 'done'; call: FleetCall }
function changes(calls: readonly FleetCall[]): Change[] {
  const order = { done: 0, head: 1, start: 2 }
  return calls
    .flatMap((call): Change[] => [
      { at: call.at, what: 'start', call },
      ...(call.headAt === null ? [] : [{ at: call.headAt, what: 'head' as const, call }]),
      ...(call.doneAt === null ? [] : [{ at: call.doneAt, what: 'done' as const, call }]),
    ])
    .toSorted((a, b) => a.at - b.at || order[a.what] - order[b.what])
}

/** While others are well, what has failed gets one call at a time until it has answered. */
export const noHerd: Rule = (day) => {
  const isSound = sound(day)
  const breaches: string[] = []
  for (const provider of day.providers) {
    let failures = 0
    let downSince = 0
    let trials = new Set<FleetCall>()
    for (const { at, what, call } of changes(day.calls.filter((one) => one.provider === provider.id))) {
      // Within one moment no client could know.
      const isDown = failures >= 3 && at > downSince
      if (what === 'head') {
        failures = 0
        trials = new Set()
      }
      if (what === 'start' && isDown) {
        trials.add(call)
        if (trials.size > 1 && day.providers.some((other) => other !== provider && isSound(other, at, at + LONGEST)))
          breaches.push(`${trials.size} calls to ${provider.id} at ${clock(at)} after ${failures} failures in a row`)
      }
      if (what !== 'done') continue
      trials.delete(call)
      if (['unreachable', '500', '503', '529', 'hangs', 'flaps'].includes(String(call.result))) {
        if (++failures === 3) downSince = at
      } else if (call.result !== 'left' && !isDown) failures = 0
    }
  }
  return breaches
}

/**
 * A key that was asked to wait is left alone; if nothing else is left, it gets one try a minute. Afterwards one call
 * tries it.
 */
export const keysWait: Rule = (day) => {
  const isSound = sound(day)
  const breaches: string[] = []
  for (const provider of day.providers) {
    for (let key = 0; key <= provider.keys; key++) {
      let told: { since: number; until: number; asked: number } | null = null
      let trials = new Set<FleetCall>()
      for (const { at, what, call } of changes(
        day.calls.filter((one) => one.provider === provider.id && one.key === String(key)),
      )) {
        if (what === 'head' && told && call.at >= told.since) {
          told = null
          trials = new Set()
        }
        if (what === 'done') {
          trials.delete(call)
          if (call.until !== null && call.result !== 'left' && (!told || call.until > told.until))
            told = { since: at, until: call.until, asked: at }
          else if (told && call.until !== null && call.result !== 'left') told.asked = at
        }
        if (what !== 'start' || !told || call.at === told.since) continue
        const others = day.providers.some((other) => other !== provider && isSound(other, at, at + LONGEST))
        const name = `${provider.id} key ${key} at ${clock(at)}, told to wait until ${clock(told.until)}`
        if (at < told.until && others) breaches.push(`${name}, while others were well`)
        else if (at < told.until && at - told.asked < MINUTE)
          breaches.push(`${name}, ${at - told.asked} ms after the last look`)
        told.asked = at
        if (at < told.until) continue
        trials.add(call)
        if (trials.size > 1 && others) breaches.push(`${name}: ${trials.size} at once`)
      }
    }
  }
  return breaches
}

/** After its trouble a provider again serves the sessions whose home it is. */
export function starved(day: FleetDay): { looked: number; breaches: string[] } {
  const breaches: string[] = []
  let looked = 0
  const first = new Map<string, FleetTurn>()
  for (const turn of day.turns.toSorted((a, b) => a.at - b.at))
    if (!first.has(turn.session)) first.set(turn.session, turn)
  for (const { id, plan } of day.providers) {
    for (const { to } of plan) {
      const from = to + 2 * LONGEST + MINUTE
      if (!isWell(plan, to + 1, from + 15 * MINUTE)) continue
      const due = [...first.values()].filter(
        ({ at, session, ended }) =>
          at > from && at < from + 14 * MINUTE && day.homeOf(session) === id && ended !== 'left',
      )
      if (due.length < 2 || (due.at(-1)?.at ?? 0) - (due[0]?.at ?? 0) < MINUTE) continue
      looked++
      const last = due.at(-1)?.id
      if (!day.calls.some(({ provider, turn, goodAt }) => provider === id && turn === last && goodAt !== null))
        breaches.push(
          `${id} after ${clock(to)}: ` +
            `${due.map((turn) => `${turn.id} ${clock(turn.at)} ${turn.route?.provider}`).join(' ')}`,
        )
    }
  }
  return { looked, breaches }
}
