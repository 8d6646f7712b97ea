/** Tells the hub of this engine: that it is there, its sessions, and what happens. */
import { withLook, type DeviceRight } from '../../../shared/devices.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { TimelineEvent } from '../../../shared/events.ts'
import type { SessionView } from '../../../shared/state.ts'
import { withoutTexts } from '../../../shared/without-texts.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { eventFacts } from '../telemetry/event-facts.ts'
import { aliveText } from './alive.ts'
import { aliveKey, eventSubject, readKey, sessionKey } from './subjects.ts'
import type { Hub } from './types.ts'

export interface PublishDeps {
  hub: Pick<Hub, 'put' | 'remove' | 'watch' | 'keep'>
  fleet: string
  engine: string
  version: string
  /** texts of conversations go to the hub */
  texts: boolean
  granted(): { rights: readonly DeviceRight[] }
  follow: ControlApi['follow']
  clock: Clock
  log: Log
}

/** A reader takes an engine for away that was not heard of for three of them. */
export const aliveMs = 20_000
/** Changes of a session that are closer together go out as one. */
const togetherMs = 200
const retryMs = 2_000
const mostAtOnce = 64
/** events on their way at the same time; more are dropped, as the stream is no record of all */
const mostEvents = 256
/** what NATS takes as it comes, less its envelope */
const mostBytes = 900_000

/**
 * Goes on until the signal. @returns what says goodbye after it. @throws OnwardError `fleet-…` where the hub takes
 * nothing from the start
 */
export async function publish(deps: PublishDeps, signal: AbortSignal): Promise<(left: boolean) => Promise<void>> {
  const { hub, engine, version, clock, log } = deps
  const since = clock.now()
  const alive = (ended = false) =>
    hub.put(aliveKey(engine), aliveText({ version, since, ended, rights: withLook(deps.granted().rights) }))
  await alive()
  const beat = () => {
    if (signal.aborted) return
    alive().catch((error: unknown) =>
      log.debug({ why: messageOf(error) }, 'the hub did not hear that this engine runs'),
    )
    clock.after(aliveMs, beat)
  }
  clock.after(aliveMs, beat)
  const sessions = publishSessions(deps, await ownKeys(deps), signal)
  const event = publishEvents(deps)
  const run = async () => {
    for await (const update of deps.follow(signal)) {
      if (update.type === 'snapshot') sessions.all(update.sessions)
      else if (update.type === 'session') sessions.changed(update.session)
      else if (update.type === 'session-removed') sessions.removed(update.id)
      else if (update.type === 'event') event(update.event)
    }
  }
  run().catch((error: unknown) =>
    log.error({ error: messageOf(error) }, 'the fleet is told nothing more of this engine'),
  )
  return async (left) => {
    if (!left) return alive(true)
    await Promise.all(sessions.ids().map((id) => hub.remove(sessionKey(engine, id))))
    await hub.remove(aliveKey(engine))
  }
}

/** What the hub has of this engine's sessions, from an earlier connection. */
function ownKeys({ hub, engine }: PublishDeps): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  return new Promise((resolve, reject) => {
    const take = ({ key, text }: { key: string; text: string | null }) => {
      const read = readKey(key)
      if (read?.kind === 'session' && text !== null) found.set(read.session, text)
    }
    const watching = hub.watch(`${engine}.>`, take, () => {
      resolve(found)
      void watching.then((watch) => watch.dispose())
    })
    watching.catch(reject)
  })
}

function publishSessions(
  { hub, engine, texts, clock, log }: PublishDeps,
  there: Map<string, string>,
  signal: AbortSignal,
) {
  const wanted = new Map<string, string>()
  const dirty = new Set<string>()
  let isWaiting = false
  const soon = (ms: number) => {
    if (isWaiting || signal.aborted) return
    isWaiting = true
    clock.after(ms, () => void flush())
  }
  const send = async (id: string) => {
    const text = wanted.get(id)
    if (text === there.get(id)) return
    try {
      await (text === undefined ? hub.remove(sessionKey(engine, id)) : hub.put(sessionKey(engine, id), text))
      if (text === undefined) there.delete(id)
      else there.set(id, text)
    } catch (error) {
      dirty.add(id)
      if (!signal.aborted) log.debug({ why: messageOf(error) }, 'the hub did not take a session')
    }
  }
  const flush = async () => {
    isWaiting = false
    const ids = [...dirty].slice(0, mostAtOnce)
    for (const id of ids) dirty.delete(id)
    const before = dirty.size
    await Promise.all(ids.map(send))
    if (dirty.size > 0) soon(dirty.size > before ? retryMs : 0)
  }
  const put = (view: SessionView) => {
    wanted.set(view.id, summaryOf(view, texts))
    dirty.add(view.id)
    soon(togetherMs)
  }
  return {
    ids: () => [...there.keys()],
    all(views: readonly SessionView[]) {
      wanted.clear()
      for (const view of views) put(view)
      for (const id of there.keys()) if (!wanted.has(id)) dirty.add(id)
      soon(togetherMs)
    },
    changed: put,
    removed(id: string) {
      wanted.delete(id)
      dirty.add(id)
      soon(togetherMs)
    },
  }
}

function summaryOf(view: SessionView, texts: boolean): string {
  const full = texts ? JSON.stringify(view) : ''
  return full !== '' && Buffer.byteLength(full) <= mostBytes ? full : JSON.stringify(withoutTexts(view))
}

function publishEvents({ hub, fleet, engine, texts, log }: PublishDeps) {
  let underWay = 0
  return (event: TimelineEvent) => {
    const facts = eventFacts(event, texts)
    if (facts === null || underWay >= mostEvents) return
    underWay += 1
    hub
      .keep(eventSubject(fleet, engine, event.body.type), event.id, JSON.stringify({ at: event.at, ...facts }))
      .catch((error: unknown) => log.debug({ why: messageOf(error) }, 'the hub did not take an event'))
      .finally(() => {
        underWay -= 1
      })
  }
}
