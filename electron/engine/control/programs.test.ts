import { afterEach, describe, expect, it } from 'vitest'
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { controlPath } from '../../../shared/control/address.ts'
import { programId } from '../../../shared/control/proof.ts'
import { provenSocket } from '../../../shared/control/proven-socket.ts'
import type { ControlRouter } from '../../../shared/control/router.ts'
import type { OutboxEntryView } from '../../../shared/state.ts'
import { socketAt } from '../base/network/own-socket.ts'
import { fakeControlApi, sampleEntry, sampleSession } from './testing/fake-control-api.ts'
import { listenControl, type ListeningControl } from './testing/listen.ts'
import { createPrograms } from './programs.ts'

const HOUR_MS = 3_600_000

function world() {
  const sessions = ['ses_a', 'ses_b'].map((id) => sampleSession({ id, name: id, queue: [] }))
  const queues = new Map<string, readonly OutboxEntryView[]>()
  const said: string[] = []
  const time = { now: 1_000_000 }
  const api = fakeControlApi({
    session: async (wanted) => {
      const found = sessions.find(({ id }) => id === wanted)
      if (!found) throw new Error(wanted)
      return { ...found, queue: queues.get(found.id) ?? [] }
    },
    sessions: async () => sessions,
    setStopMessage: async () => sampleSession(),
  })
  const programs = createPrograms({
    api,
    orders: fakeControlApi({
      say: async ({ session, text }) => {
        said.push(text)
        return sampleEntry({ sessionId: session, text, source: 'program' })
      },
    }) as never,
    holderOf: (terminalId) => (terminalId === 'term_a' ? { terminalId, sessionId: 'ses_a' } : null),
    now: () => time.now,
  })
  return { api, programs, queues, said, time }
}

describe('what programs say', () => {
  const say = (text: string) => ({ session: 'ses_a', text })
  it('goes to itself ten times an hour at most, and then again', async () => {
    const { programs, said, time } = world()
    const { api } = programs.contextOf('term_a')
    for (let n = 0; n < 10; n++) await api.say(say(`${n}`))
    await expect(api.say(say('one more'))).rejects.toMatchObject({ code: 'said-too-often' })
    // another connection of the same agent begins no new count
    await expect(programs.contextOf('term_a').api.say(say('one more'))).rejects.toMatchObject({ status: 429 })
    time.now += HOUR_MS
    await api.say(say('later'))
    expect(said).toHaveLength(11)
    expect(said.at(-1)).toBe('later')
  })
  it('goes to others more often, with an end as well', async () => {
    const { programs, said } = world()
    const { api } = programs.contextOf(null)
    for (let n = 0; n < 60; n++) await api.say(say(`${n}`))
    await expect(api.say(say('one more'))).rejects.toMatchObject({ code: 'said-too-often' })
    await api.say({ session: 'ses_b', text: 'to another' })
    expect(said).toHaveLength(61)
  })
  it('waits for what was said before: a person’s texts do not count', async () => {
    const { programs, queues } = world()
    const { api } = programs.contextOf('term_a')
    queues.set('ses_a', [sampleEntry({ source: 'user' }), sampleEntry({ source: 'program', state: 'confirmed' })])
    await api.say(say('first'))
    queues.set('ses_a', [sampleEntry({ source: 'program' })])
    await expect(api.say(say('second'))).rejects.toMatchObject({ code: 'already-said' })
    await programs.contextOf(null).api.say(say('of another program'))
  })
  it('waits for what is on its way into the queue, of two at once', async () => {
    const { programs, said } = world()
    const { api } = programs.contextOf('term_a')
    const both = await Promise.allSettled([api.say(say('first')), api.say(say('second'))])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(said).toEqual(['first'])
  })
})

describe('a program on the control socket', () => {
  let listening: ListeningControl | null = null
  const clients: { close(): void }[] = []
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    await listening?.close()
  })
  const callsAs = (id: string, { socket, token }: ListeningControl) => {
    const client = createWSClient({
      url: `ws://onward${controlPath}`,
      WebSocket: provenSocket({
        WebSocket: socketAt(socket) as unknown as typeof globalThis.WebSocket,
        credential: () => ({ id, key: token }),
        path: controlPath,
      }),
    })
    clients.push(client)
    return createTRPCClient<ControlRouter>({ links: [wsLink({ client })] })
  }

  it('arms nothing, whatever session it names, and a caller of the home does', async () => {
    const { api, programs } = world()
    listening = await listenControl(api, { programs })
    const armed = { session: 'ses_a', text: 'x' }
    for (const terminal of [null, 'term_a'])
      await expect(callsAs(programId(terminal), listening).setStopMessage.mutate(armed)).rejects.toThrow(
        'Another program may not do this.',
      )
    await callsAs('home', listening).setStopMessage.mutate(armed)
  })
  it('is shown the sessions it may see', async () => {
    const { api, programs } = world()
    listening = await listenControl(api, { programs })
    const ids = async (terminal: string | null) => {
      if (!listening) throw new Error('not listening')
      return (await callsAs(programId(terminal), listening).sessions.query()).map(({ id }) => id)
    }
    expect(await ids(null)).toEqual(['ses_a', 'ses_b'])
    expect(await ids('term_a')).toEqual(['ses_a'])
    await expect(ids('term_gone')).rejects.toThrow('The terminal that this program runs in is not known any more.')
  })
})
