import { isOpen, type DriveFacts, type OwnDrive } from '../../../../shared/drives.ts'
import { parseJson } from '../../../../shared/parse-json.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import { backgroundProfiles, type WorkSign } from '../background/profiles.ts'
import { isClientWritten, personTexts } from '../identify/person-text.ts'
import { cronTimes } from './cron.ts'
import { drivesOf, type DriveSign } from './profiles.ts'

/**
 * The steps of a conversation in a request, in no protocol's words. A call stands where it was made, with its result.
 */
export type DriveStep =
  | { type: 'message' | 'system'; texts: readonly string[] }
  | { type: 'call'; id?: string; name: string; arguments: string; result: string | null }
type Call = Extract<DriveStep, { type: 'call' }>

/** What else happens to drives. */
export type DriveEvent =
  /** a request of a sub-agent begins, or its answer ended; `goesOn`: with calls */
  | { type: 'sub-agent'; id: string; goesOn: boolean }
  /** the main turn's answer ended; it stopped */
  | { type: 'stopped' }
  /** a request's spend, of the sub-agent or of the main turn (null) */
  | ({ type: 'spent'; subagent: string | null; turns: number; tokens: number } & Pick<
      DriveFacts,
      'costUsd' | 'worthUsd'
    > & {
        unpricedTokens?: number | undefined
      })
  /** the main agent goes on, which waits for its sub-agents */
  | { type: 'sub-agents-over' }
  /** its history was summed up, or a turn failed: nothing says whether a goal of its own lives on */
  | { type: 'goal-doubted'; why: 'compaction' | 'failed' }
  /** its turn was refused, since a person stopped it */
  | { type: 'refused'; id: string }
  /** the agent's process ended */
  | { type: 'agent-ended' }

/** `live`: it happened just now, and not in an older part of the conversation */
export interface Observation {
  at: number
  live: boolean
  version: string | null
}

type Drives = readonly OwnDrive[]

const kindOf = { 'own-goal': 'goal', 'own-loop': 'loop', 'own-schedule': 'schedule' } as const
const longest = 200
const mostOver = 12
const most = 64

/** Drives after one more step of the conversation. A step that changes nothing returns the same list. */
export function observe(client: ClientKind, drives: Drives, step: DriveStep, look: Observation): Drives {
  let now = drives
  if (step.type === 'message') now = message(client, now, step.texts, look)
  if (step.type === 'call' && step.result !== null) now = called(client, now, { ...step, result: step.result }, look)
  return background(client, now, step, look)
}

/**
 * What is known, and what an older part of the conversation shows: it adds what was never seen, and ends what it saw
 * end, but begins nothing again.
 */
export function withHistory(known: Drives, history: Drives): Drives {
  const fresh = history.filter(({ id, state }) => state.is === 'unknown' && !known.some((drive) => drive.id === id))
  const ends = new Map(history.filter(({ state }) => state.is === 'over').map((drive) => [drive.id, drive.state]))
  return [
    ...known.map((drive) => ({ ...drive, state: (isOpen(drive) && ends.get(drive.id)) || drive.state })),
    ...fresh,
  ]
}

/** As many are kept: all that may go on, and the last that are over. */
export function kept(drives: Drives): Drives {
  const over = drives.filter((drive) => !isOpen(drive) && drive.state.is !== 'missed').slice(0, -mostOver)
  return over.length === 0 && drives.length <= most
    ? drives
    : drives.filter((drive) => !over.includes(drive)).slice(-most)
}

/** Drives after something that is no step of the conversation. */
export function happened(drives: Drives, event: DriveEvent, look: Observation): Drives {
  switch (event.type) {
    case 'sub-agent': {
      const known = drives.find(({ id }) => id === event.id)
      const state = event.goesOn ? ({ is: 'on' } as const) : ({ is: 'over', at: look.at, how: 'ended' } as const)
      if (known?.state.is === 'stopping' && event.goesOn) return drives
      return put(drives, known ? { ...known, seen: look.at, state } : { ...made(event.id, look), kind: 'agent', state })
    }
    case 'stopped':
      return drives.map((drive) => (drive.works ? afterTurn(drive, look) : drive))
    case 'spent':
      return drives.map((drive) => {
        if (event.subagent === null ? !drive.works : drive.id !== event.subagent) return drive
        const spent = { ...drive, turns: drive.turns + event.turns, tokens: drive.tokens + event.tokens }
        if (event.costUsd !== null) spent.costUsd = (drive.costUsd ?? 0) + event.costUsd
        if (event.unpricedTokens) spent.unpricedTokens = (drive.unpricedTokens ?? 0) + event.unpricedTokens
        if (event.worthUsd) spent.worthUsd = (drive.worthUsd ?? 0) + event.worthUsd
        return spent
      })
    case 'sub-agents-over':
      return drives.map((drive) =>
        drive.kind === 'agent' && drive.source === 'request' && isOpen(drive) ? over(drive, 'ended', look) : drive,
      )
    case 'goal-doubted':
      return drives.map((drive) =>
        drive.kind === 'goal' && drive.state.is === 'on'
          ? { ...drive, works: undefined, state: { is: 'unknown', at: look.at, why: event.why } }
          : drive,
      )
    case 'refused':
      return drives.map((drive) =>
        drive.id === event.id
          ? { ...drive, works: undefined, state: { is: 'stopped', at: look.at, how: 'refused' } }
          : drive,
      )
    case 'agent-ended':
      return drives.map((drive) => ({
        ...drive,
        works: undefined,
        state: isOpen(drive) ? { is: 'unknown', at: look.at, why: 'agent-ended' } : drive.state,
      }))
  }
}

function message(client: ClientKind, drives: Drives, texts: readonly string[], look: Observation): Drives {
  const { signs, jobs } = drivesOf(client)
  let now = drives
  let begun = false
  for (const text of texts) {
    const plain = promptOf(text)
    const sign = signs.find(({ when }) => 'text' in when && isSaid(text, when))
    const framed = jobs?.frame?.exec(text)?.[1]
    const came = now.find(
      (drive) => 'prompt' in drive && (drive.id === framed || (drive.prompt === plain && plain !== '')),
    )
    // The general sign of a timed prompt stands in for a job that was never seen.
    if (sign && !(came && sign.of === 'own-schedule')) now = signed(now, sign, text, look)
    if (came && !(sign?.of === 'own-loop')) now = fired(now, came, look)
    const woken = woke(client, now, text)
    if (woken) now = put(now, { ...woken, works: true, seen: look.at })
    begun ||= sign !== undefined || came !== undefined || woken !== undefined
  }
  if (begun || personTexts(client, texts).every((text) => text === '')) return now
  // A turn that a person or Onward began is no drive's. A goal that goes on shows itself at its next stop.
  return now.map((drive) =>
    drive.kind === 'goal' && drive.state.is === 'on'
      ? { ...drive, works: undefined, state: { is: 'unknown', at: look.at, why: 'quiet' } }
      : drive.works
        ? { ...drive, works: undefined }
        : drive,
  )
}

/** An event of work in the background begins a turn. */
function woke(client: ClientKind, drives: Drives, text: string): OwnDrive | undefined {
  const { wakes } = backgroundProfiles[client]
  const id = drives.length > 0 && wakes && isClientWritten(client, text) ? wakes.exec(text)?.groups?.['id'] : undefined
  return id === undefined ? undefined : drives.find((drive) => drive.id === id)
}

function called(client: ClientKind, drives: Drives, step: Call & { result: string }, look: Observation): Drives {
  const { signs, jobs } = drivesOf(client)
  const { name, result } = step
  if (jobs && name === jobs.remove) return ended(drives, jobs.removed.exec(result)?.[1] ?? '', 'cleared', look)
  if (jobs && name === jobs.create) return scheduled(client, drives, step, look)
  if (jobs?.list && name === jobs.list.tool) {
    // A list that leaves a job out proves that it is gone.
    const { none, each } = jobs.list
    const there = new Set([...result.matchAll(each)].map(([, id]) => id))
    if (there.size === 0 && !result.startsWith(none)) return drives
    return drives.map((drive) =>
      drive.kind !== 'schedule' || !isOpen(drive)
        ? drive
        : there.has(drive.id)
          ? { ...drive, seen: look.at, state: drive.state.is === 'unknown' ? { is: 'on' } : drive.state }
          : over(drive, 'ended', look),
    )
  }
  const sign = signs.find(({ when }) => 'tools' in when && when.tools.includes(name) && result.includes(when.result))
  return sign ? signed(drives, sign, result, look, step) : drives
}

/** A goal or a loop is set, goes on or ends. */
function signed(drives: Drives, sign: DriveSign, text: string, look: Observation, step?: Call): Drives {
  const kind = kindOf[sign.of]
  const args = step ? argumentsOf(step) : {}
  const known = drives.find(({ id }) => id === kind)
  const said = sign.what?.exec(text)?.[1] ?? sign.named?.map((name) => args[name]).find(isText)
  const what = said === undefined ? (known?.what ?? null) : shortened(said)
  if (sign.says === 'still' && !(known && isOpen(known))) return drives
  if (sign.says === 'off') {
    if (!known || !isOpen(known)) return drives
    // The command that a wakeup brings back: it is not armed again yet.
    if (kind === 'loop' && !step && 'armed' in known)
      return put(drives, { ...known, works: true, armed: false, next: null, latest: null, seen: look.at })
    return put(drives, over(known, 'cleared', look))
  }
  const source = step?.name ?? 'message'
  const fresh = known && (isOpen(known) || isLast(known, look)) ? known : { ...made(kind, look), source }
  const base = { ...fresh, what, seen: look.at, ...(step?.id !== undefined && { call: step.id }) }
  const state = known && (known.state.is === 'stopping' || isLast(known, look)) ? known.state : stateAt(look)
  if (kind === 'goal') return put(drives, { ...base, kind, state, ...(!step && { works: true as const }) })
  if (known?.call !== undefined && known.call === step?.id) return drives
  const prompt = isText(args['prompt']) ? promptOf(args['prompt']) : ''
  const seconds = look.live ? Number(/\(in (\d+)s\)/.exec(text)?.[1] ?? Number.NaN) : Number.NaN
  const next = Number.isNaN(seconds) ? null : look.at + seconds * 1000
  const loops = prompt === '' || prompt.startsWith('/') || prompt.startsWith('<<') ? 'loop' : 'wakeup'
  const words = prompt === '' ? what : shortened(prompt.replace(/^\/loop\s+/, ''))
  const timed = { state, prompt, next, latest: next }
  return kind === 'loop'
    ? put(drives, { ...base, ...timed, kind: loops, what: words, armed: true })
    : put(drives, { ...base, ...timed, kind, cron: '', once: false, works: true })
}

/** How long after its pause an agent may still begin a turn of it (milliseconds): it had decided to before. */
const lastTurnMs = 5000
const isLast = ({ state }: OwnDrive, { at }: Observation): boolean =>
  state.is === 'stopped' && state.how === 'paused' && at - state.at < lastTurnMs

/** A timed prompt is made. */
function scheduled(client: ClientKind, drives: Drives, step: Call & { result: string }, look: Observation): Drives {
  const { jobs } = drivesOf(client)
  const { prompt, cron } = argumentsOf(step)
  const once = jobs?.createdOnce.exec(step.result)?.[1]
  const id = jobs?.created.exec(step.result)?.[1] ?? once
  if (id === undefined || !isText(prompt) || !isText(cron)) return drives
  const known = drives.find((drive) => drive.id === id)
  if (known?.call !== undefined && known.call === step.id) return drives
  return put(drives, {
    ...made(id, look),
    source: step.name,
    what: shortened(prompt),
    kind: 'schedule',
    cron: cron.trim(),
    once: once === id,
    prompt: promptOf(prompt),
    call: step.id,
    state: stateAt(look),
    ...timesOf({ cron, once: once === id }, look.live ? look.at : null),
  })
}

/**
 * Claude Code 2.1.332, from its package: a recurring job comes up to half of its period late, half an hour at most, by
 * its id. One of one time comes at it.
 */
function timesOf({ cron, once }: { cron: string; once: boolean }, after: number | null) {
  const times = after === null ? null : cronTimes(cron, after)
  if (!times) return { next: null, latest: null }
  const { next, period } = times
  return { next, latest: once || period === null ? next : next + Math.min(period / 2, 30 * 60_000) }
}

const isStopped = ({ state }: OwnDrive): boolean => state.is === 'stopping' || state.is === 'stopped'

/** The prompt of one came, and begins a turn. */
function fired(drives: Drives, drive: OwnDrive, look: Observation): Drives {
  const came = { ...drive, works: true as const, seen: look.at }
  if (came.kind === 'schedule' && !came.once)
    return put(drives, {
      ...came,
      state: isStopped(came) ? came.state : { is: 'on' },
      ...timesOf(came, look.live ? look.at : null),
    })
  return put(drives, {
    ...came,
    next: null,
    latest: null,
    state: { is: 'over', at: look.at, how: 'fired' },
  } as OwnDrive)
}

function background(client: ClientKind, drives: Drives, step: DriveStep, look: Observation): Drives {
  let now = drives
  for (const start of backgroundProfiles[client].starts)
    for (const { id, what } of found(client, start, step)) {
      const known = now.find((drive) => drive.id === id)
      const words = what ?? namedIn(step, start.named ?? [])
      const call = step.type === 'call' ? step.id : undefined
      if (known?.call !== undefined && known.call === call) continue
      // Requests of a sub-agent come before its launch is told, and may end before it.
      if (known?.source === 'request' && known.call === undefined) {
        now = put(now, { ...known, what: known.what ?? words, ...(call !== undefined && { call }) })
        continue
      }
      const source = step.type === 'call' ? step.name : 'message'
      const base = known && isOpen(known) ? known : { ...made(id, look), source }
      now = put(now, {
        ...base,
        kind: start.kind,
        what: words,
        call,
        seen: look.at,
        state: stateAt(look),
      } as OwnDrive)
    }
  for (const id of endsIn(client, step)) now = ended(now, id, 'ended', look)
  return now
}

/** Ids of work in the background that the step says has ended. */
export const endsIn = (client: ClientKind, step: DriveStep): readonly string[] =>
  backgroundProfiles[client].ends.flatMap((end) => found(client, end, step).map(({ id }) => id))

const ended = (drives: Drives, id: string, how: 'ended' | 'cleared', look: Observation): Drives => {
  const known = drives.find((drive) => drive.id === id)
  return known && known.state.is !== 'over' && known.state.is !== 'stopped'
    ? put(drives, over(known, how, look))
    : drives
}

/** What ends after a person stopped it was stopped. */
const over = (drive: OwnDrive, how: 'ended' | 'cleared', { at }: Observation): OwnDrive => ({
  ...drive,
  ...('next' in drive && { next: null, latest: null }),
  seen: at,
  state: drive.state.is === 'stopping' ? { is: 'stopped', at, how: 'by-agent' } : { is: 'over', at, how },
})

/** Its turn is through: a loop that was not armed again has ended. */
function afterTurn(drive: OwnDrive, look: Observation): OwnDrive {
  const rests = { ...drive, works: undefined }
  return drive.kind === 'loop' && !drive.armed && isOpen(drive)
    ? { ...over(drive, 'ended', look), works: undefined }
    : rests
}

const stateAt = (look: Observation): OwnDrive['state'] =>
  look.live ? { is: 'on' } : { is: 'unknown', at: look.at, why: 'history' }

const made = (id: string, { at, live, version }: Observation) => ({
  id,
  what: null,
  since: live ? at : null,
  seen: at,
  source: 'request',
  version,
  turns: 0,
  tokens: 0,
  costUsd: null,
})

const put = (drives: Drives, drive: OwnDrive): Drives =>
  drives.some(({ id }) => id === drive.id)
    ? drives.map((other) => (other.id === drive.id ? drive : other))
    : [...drives, drive]

const isSaid = (text: string, when: { text: string; has?: string }): boolean =>
  text.startsWith(when.text, text.search(/\S|$/)) && (when.has === undefined || text.includes(when.has))

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
/** By its beginning a prompt is known when it comes back. */
export const promptOf = (text: string): string => text.trim().slice(0, 2000)
const shortened = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, longest)

function found(client: ClientKind, sign: WorkSign, step: DriveStep): readonly { id: string; what?: string }[] {
  if ('text' in sign)
    return step.type === 'call'
      ? []
      : step.texts
          .filter((text) => text.search(sign.text) >= 0 && (step.type === 'system' || isClientWritten(client, text)))
          .flatMap((text) => [...text.matchAll(sign.text)].flatMap(named))
  if (step.type !== 'call' || step.result === null || !sign.tools.includes(step.name)) return []
  if (sign.id === undefined) return [...step.result.matchAll(sign.result)].flatMap(named)
  const id = argumentsOf(step)[sign.id]
  const isId = typeof id === 'string' || typeof id === 'number'
  return isId && step.result.search(sign.result) >= 0 ? [{ id: String(id) }] : []
}

const named = ({ groups }: RegExpExecArray): { id: string; what?: string }[] =>
  groups?.['id'] === undefined
    ? []
    : [{ id: groups['id'], ...(groups['what'] === undefined ? {} : { what: groups['what'] }) }]

function namedIn(step: DriveStep, members: readonly string[]): string | null {
  if (step.type !== 'call') return null
  const said = argumentsOf(step)
  const what = members.map((member) => said[member]).find(isText)
  return what === undefined ? null : shortened(what)
}

/** A model may write invalid JSON; the call is then known by its result alone. */
function argumentsOf({ arguments: json }: Call): Readonly<Record<string, unknown>> {
  const value = parseJson(json)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
