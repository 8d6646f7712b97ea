// What an engine under load has to do at once. Each begins with the engine known and warm, and tells at its end what it
// saw; `over()` says when the measured time has gone by.
import { readFileSync } from 'node:fs'
import { chatBody } from './bodies.mjs'
import { connect, requestBytes } from './load.mjs'

export const SESSIONS = 1_000
export const STREAMS = 256
export const TERMINALS = 64
export const STREAM_MS = 10_000
const TURN_PACE_MS = 100
const TURN_CONNECTIONS = 8
const RING_PACE_MS = 100
const path = '/v1/chat/completions'
export const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const sessionOf = (i) => `load-${i}`
/** streams are sessions of their own among the thousand */
const TURN_SESSIONS = SESSIONS - STREAMS

/** Bodies of 20 KB whose answers are streams, 80 a second, of one session after the other. */
export async function turns(port) {
  const body = chatBody(20_000, { stream: true })
  const requests = Array.from({ length: SESSIONS }, (_, i) => requestBytes({ path, port }, body, sessionOf(i)))
  const connections = await Promise.all(Array.from({ length: TURN_CONNECTIONS }, () => connect(port)))
  let next = 0
  const drive = (more, pace, sessions) =>
    Promise.all(
      connections.map(async ({ send }, i) => {
        // agents don't keep step: all at one moment would hold the loop up for as long as all of them take
        await wait((i * pace) / TURN_CONNECTIONS)
        while (more()) {
          const paced = wait(pace)
          await send(requests[next++ % sessions])
          await paced
        }
      }),
    )
  return {
    /** every session is known and what runs is compiled */
    async warm() {
      await drive(() => next < 2 * SESSIONS, 0, SESSIONS)
    },
    /** one turn of each session that has turns, as fast as they go */
    async once() {
      const until = next + TURN_SESSIONS
      await drive(() => next < until, 0, TURN_SESSIONS)
    },
    run: (over) => drive(() => !over(), TURN_PACE_MS, TURN_SESSIONS),
    count: () => next,
    close() {
      for (const connection of connections) connection.close()
    },
  }
}

/**
 * Streams of ten seconds whose events come four a second, each with the time it was sent. As one ends its session asks
 * again; they begin one after the other, so that some always do.
 */
export async function streams(port, over) {
  const body = chatBody(20_000, { stream: true }).toString().replace('mock-model', 'slow.slow-model')
  const stamps = []
  const connections = await Promise.all(Array.from({ length: STREAMS }, () => connect(port, 60_000)))
  const ended = Promise.all(
    connections.map(async ({ send }, i) => {
      await wait((i * STREAM_MS) / STREAMS)
      const bytes = requestBytes({ path, port }, Buffer.from(body), sessionOf(TURN_SESSIONS + i))
      while (!over()) await send(bytes, { stamps })
    }),
  )
  return {
    /** forgets what came until now */
    begin() {
      stamps.length = 0
    },
    stamps: () => stamps.splice(0),
    async close() {
      await ended
      for (const connection of connections) connection.close()
    },
  }
}

/** Ten more alarms a second beside those that wait, each due a second later. @returns their ids */
export async function alarms(api, over) {
  const ids = []
  for (let i = 0; !over(); i++) {
    const paced = wait(RING_PACE_MS)
    const view = await api.addAlarm.mutate({
      session: sessionOf((i * 37) % TURN_SESSIONS),
      dueAt: Date.now() + 1_000,
      task: `Look whether build ${i} has ended.`,
    })
    ids.push(view.taskId)
    await paced
  }
  return ids
}

/** Programs that write coloured lines as fast as they are read, for so many seconds at most. */
export async function terminals(api, count, seconds, watched) {
  const line = String.raw`\033[32mok\033[0m \033[1;34msrc/file.ts\033[0m: 1 234 lines read, none of them changed`
  const flood = `exec timeout ${seconds} yes "$(printf '${line}')"`
  const opened = []
  for (let i = 0; i < count; i++)
    opened.push(await api.openTerminal.mutate({ client: 'other', args: ['sh', '-c', flood], cwd: '/tmp' }))
  let characters = 0
  const watching = opened.slice(0, watched).map(({ id }) =>
    api.watchTerminal.subscribe(id, {
      onData(chunk) {
        if ('data' in chunk) characters += chunk.data.length
      },
    }),
  )
  return {
    characters: () => characters,
    async close() {
      for (const one of watching) one.unsubscribe()
      await Promise.all(opened.map(({ id }) => api.closeTerminal.mutate(id)))
    },
  }
}

/** How long the engine takes to say how it is, asked four times a second. */
export async function asked(api, over) {
  const ms = []
  while (!over()) {
    const from = performance.now()
    await api.status.query()
    ms.push(performance.now() - from)
    await wait(250)
  }
  return ms
}

/** bytes that the process had written to a disk, and read from anywhere */
export function bytesOf(pid) {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8')
  const of = (name) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)[1])
  return { written: of('write_bytes'), read: of('rchar') }
}
