import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { homeId, newNonce, proofOf, proveWithinMs } from '../../../shared/control/proof.ts'
import { controlPath } from '../../../shared/control/address.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { EngineUpdate } from '../../../shared/state.ts'
import { OnwardError } from '../base/errors.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { pingEveryMs, pongWithinMs } from './heartbeat.ts'
import { fakeControlApi, sampleSession, sampleStatus } from './testing/fake-control-api.ts'
import { listenControl } from './testing/listen.ts'
import { until } from '../../../shared/testing/wait-for.ts'

type Frame = {
  id: number | null
  result?: { type: string; data?: unknown }
  error?: { message: string; data: Record<string, unknown> }
}

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen(api: Partial<ControlApi>, more: Parameters<typeof listenControl>[1] = {}) {
  const listening = await listenControl(fakeControlApi(api), more)
  closing.push(() => listening.close())
  return listening
}

/** A viewer on the bare wire, so that the tests see what is really sent. */
async function viewer(port: number, options: { query?: string; autoPong?: boolean } = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${controlPath}${options.query ?? ''}`, {
    autoPong: options.autoPong ?? true,
  })
  closing.push(() => socket.terminate())
  const frames: Frame[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame)
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const send = (value: unknown) => socket.send(JSON.stringify(value))
  const heard = (type: string) =>
    new Promise<Record<string, string>>((resolve) => {
      const onMessage = (data: unknown) => {
        const said = JSON.parse(String(data)) as Record<string, string>
        if (said.type !== type) return
        socket.off('message', onMessage)
        resolve(said)
      }
      socket.on('message', onMessage)
    })
  /** as a caller that holds this key, up to where the engine is to answer */
  const hello = async (id = homeId) => {
    const callerNonce = newNonce()
    const challenged = heard('auth-challenge')
    send({ type: 'auth-hello', id, nonce: callerNonce })
    const { nonce: engineNonce = '', proof = '' } = await challenged
    return { exchange: { path: controlPath, id, callerNonce, engineNonce }, proof }
  }
  return {
    socket,
    frames,
    closed,
    send,
    hello,
    async admit(key: string) {
      const { exchange } = await hello()
      const ok = heard('auth-ok')
      send({ type: 'auth-proof', proof: await proofOf(key, 'caller', exchange) })
      await Promise.race([ok, closed])
      frames.length = 0
    },
    call: (id: number, method: string, path: string, input?: unknown) => send({ id, method, params: { path, input } }),
    async next(match: (frame: Frame) => boolean): Promise<Frame> {
      for (;;) {
        const found = frames.find(match)
        if (found) return found
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
describe('who may speak to the control API', () => {
  it('answers a viewer that proved that it holds the key', async () => {
    const { port, token } = await listen({ status: async () => sampleStatus() })
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'query', 'status')
    expect((await v.next((f) => f.id === 1)).result?.data).toMatchObject({ pid: 4242 })
  })

  const nonce = newNonce()
  const refused: [string, (v: Awaited<ReturnType<typeof viewer>>, token: string) => void][] = [
    ['an id that it does not know', (v) => v.send({ type: 'auth-hello', id: 'nobody', nonce })],
    ['the token itself', (v, token) => v.send({ method: 'connectionParams', data: { token } })],
    ['the token as an id', (v, token) => v.send({ type: 'auth-hello', id: token, nonce })],
    ['a hello without a nonce', (v) => v.send({ type: 'auth-hello', id: homeId, nonce: '' })],
    ['a call as the first message', (v) => v.call(7, 'query', 'status')],
    ['a first message that is no JSON', (v) => v.socket.send('{')],
  ]
  it.each(refused)('closes with 4401 and answers nothing: %s', async (_name, first) => {
    let asked = 0
    const { port, token } = await listen({
      status: async () => {
        asked++
        return sampleStatus()
      },
    })
    const v = await viewer(port)
    first(v, token)
    v.call(1, 'query', 'status')
    expect((await v.closed).code).toBe(4401)
    expect(v.frames).toEqual([])
    expect(asked).toBe(0)
  })

  it.each([
    ['a wrong key', (_token: string) => 'wrong-token-0123456789abcde'],
    ['an empty one', () => ' '],
  ])('closes with 4401 on a proof made with %s', async (_name, key) => {
    const { port, token } = await listen({ status: async () => sampleStatus() })
    const v = await viewer(port)
    await v.admit(key(token))
    expect((await v.closed).code).toBe(4401)
  })

  it('takes no proof twice, none of its own back, and none that was made for another path', async () => {
    const { port, token } = await listen({ status: async () => sampleStatus() })
    const first = await viewer(port)
    const { exchange } = await first.hello()
    const good = await proofOf(token, 'caller', exchange)
    const again = await viewer(port)
    await again.hello()
    again.send({ type: 'auth-proof', proof: good })
    expect((await again.closed).code).toBe(4401)
    const mirror = await viewer(port)
    mirror.send({ type: 'auth-proof', proof: (await mirror.hello()).proof })
    expect((await mirror.closed).code).toBe(4401)
    const elsewhere = await viewer(port)
    const other = { ...(await elsewhere.hello()).exchange, path: '/hosts' }
    elsewhere.send({ type: 'auth-proof', proof: await proofOf(token, 'caller', other) })
    expect((await elsewhere.closed).code).toBe(4401)
  })

  it('reads nothing that comes before its turn', async () => {
    let asked = 0
    const { port, token } = await listen({
      status: async () => {
        asked++
        return sampleStatus()
      },
    })
    const v = await viewer(port)
    const { exchange } = await v.hello()
    v.send({ type: 'auth-proof', proof: await proofOf(token, 'caller', exchange) })
    v.call(1, 'query', 'status')
    expect((await v.closed).code).toBe(4401)
    expect(asked).toBe(0)
  })

  it('survives broken frames before the proof', async () => {
    const { port, token } = await listen({ status: async () => sampleStatus() })
    const broken = await viewer(port)
    // an unmasked frame with reserved bits set
    ;(broken.socket as unknown as { _socket: import('node:net').Socket })._socket.write(Buffer.from([0xff, 0xff, 0xff]))
    await broken.closed
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'query', 'status')
    expect((await v.next((f) => f.id === 1)).result?.type).toBe('data')
  })

  it('takes a proof back whose caller left before it said a word, and no other', async () => {
    const token = 'test-token-'.padEnd(43, '0')
    let takenBack = 0
    const keys = { keyOf: () => token, admitted: async () => () => void takenBack++ }
    const { port, control } = await listen({ status: async () => sampleStatus() }, { keys })
    const gone = async () => until(() => control.connections === 0)
    const silent = await viewer(port)
    await silent.admit(token)
    silent.socket.close()
    await gone()
    expect(takenBack).toBe(1)
    const heard = await viewer(port)
    await heard.admit(token)
    heard.call(1, 'query', 'status')
    await heard.next((f) => f.id === 1)
    heard.socket.close()
    await gone()
    expect(takenBack).toBe(1)
  })

  it('does not read anything from the address', async () => {
    const { port, token } = await listen({ status: async () => sampleStatus() })
    const v = await viewer(port, { query: `?connectionParams=1&token=${token}` })
    v.call(1, 'query', 'status')
    expect((await v.closed).code).toBe(4401)
  })

  it('does not wait for a proof for ever', async () => {
    const clock = virtualClock()
    const { port } = await listen({}, { clock })
    const v = await viewer(port)
    await clock.advance(proveWithinMs)
    expect((await v.closed).code).toBe(4408)
  })

  it('leaves other paths to the gateway', async () => {
    const { control } = await listen({})
    const request = { url: '/v1/responses' } as Parameters<typeof control.handleUpgrade>[0]
    const untouched = {} as Parameters<typeof control.handleUpgrade>[1]
    expect(control.handleUpgrade(request, untouched, Buffer.alloc(0))).toBe(false)
  })
})

describe('a caller that has proved nothing', () => {
  /** A WebSocket by hand: it sends what it is given and never answers a close frame. */
  async function bareCaller(at: { port: number } | { path: string }) {
    const socket = connect({ host: '127.0.0.1', ...at })
    closing.push(() => void socket.destroy())
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => undefined)
    socket.write(
      `GET ${controlPath} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await new Promise<void>((resolve) => socket.once('data', () => resolve()))
    socket.resume()
    return { socket, closed }
  }
  /** frames of one size with an empty mask */
  const frames = (first: number, count: number, size: number) =>
    Buffer.concat(
      Array.from({ length: count }, (_, i) => {
        const head = size < 126 ? [0x80 | size] : [0xfe, size >> 8, size & 0xff]
        return Buffer.from([i === 0 ? first : first & 0xf0, ...head, 0, 0, 0, 0, ...Buffer.alloc(size, 0x20)])
      }),
    )
  const floods: [string, Buffer][] = [
    [
      'the beginning of a message of 8 MB',
      Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0]), Buffer.alloc(4096)]),
    ],
    ['a message in small pieces', frames(0x01, 100, 60)],
    ['pongs', Buffer.concat(Array.from({ length: 100 }, () => frames(0x8a, 1, 60)))],
    ['a message a little too long', frames(0x81, 1, 5000)],
  ]
  it.each(floods.flatMap(([what, bytes]) => (['port', 'socket'] as const).map((at) => ({ what, bytes, at }))))(
    'is cut behind 4 KB on the $at: $what',
    async ({ bytes, at }) => {
      const { port, socket: path, control } = await listen({}, { clock: virtualClock() })
      const { socket, closed } = await bareCaller(at === 'port' ? { port } : { path })
      socket.write(bytes)
      await closed
      await until(() => control.connections === 0)
    },
  )

  it('goes on to send 4 KB at most once it was refused', async () => {
    const { port, control } = await listen({}, { clock: virtualClock() })
    const { socket, closed } = await bareCaller({ port })
    socket.write(frames(0x81, 1, 10))
    socket.write(frames(0x81, 1, 5000))
    await closed
    await until(() => control.connections === 0)
  })

  it('is cut at the deadline, whether it says goodbye or not', async () => {
    const clock = virtualClock()
    const { port, control } = await listen({}, { clock })
    const { closed } = await bareCaller({ port })
    await until(() => control.connections === 1)
    await clock.advance(proveWithinMs)
    await closed
    expect(control.connections).toBe(0)
    expect(clock.pending()).toBe(0)
  })

  it('makes room for others: 64 are at it at once, and one with a key still comes in', async () => {
    const { port, token, control } = await listen({ status: async () => sampleStatus() }, { clock: virtualClock() })
    const before = await viewer(port)
    await before.admit(token)
    const callers = await Promise.all(Array.from({ length: 100 }, () => bareCaller({ port })))
    await until(() => control.connections === 65)
    const v = await viewer(port)
    await v.admit(token)
    for (const one of [v, before]) {
      one.call(1, 'query', 'status')
      expect((await one.next((f) => f.id === 1)).result?.type).toBe('data')
    }
    for (const { socket } of callers) socket.destroy()
    await until(() => control.connections === 2)
  })

  it('may send a text of 5 MB as soon as it has', async () => {
    const { port, token } = await listen({ status: async () => sampleStatus() })
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'query', 'status', 'x'.repeat(5_000_000))
    expect((await v.next((f) => f.id === 1)).id).toBe(1)
  })
})

describe('errors', () => {
  it('keep their stable code and their sentence, without a stack', async () => {
    const { port, token } = await listen({
      session: async (id) => {
        throw new OnwardError('session-unknown', `No session is called ${id}.`, { status: 404 })
      },
    })
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'query', 'session', 'nope')
    const { error } = await v.next((f) => f.id === 1)
    expect(error?.message).toBe('No session is called nope.')
    expect(error?.data.onwardCode).toBe('session-unknown')
    expect(error?.data.stack).toBeUndefined()
  })

  it('a wrong input is refused and the connection lives on', async () => {
    const { port, token } = await listen({ sessions: async () => [sampleSession()] })
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'mutation', 'addRounds', { session: 's', rounds: 0 })
    expect((await v.next((f) => f.id === 1)).error?.data.code).toBe('BAD_REQUEST')
    v.socket.send('not json')
    v.call(2, 'query', 'sessions')
    expect((await v.next((f) => f.id === 2)).result?.data).toHaveLength(1)
  })
})

describe('subscriptions', () => {
  const snapshot: EngineUpdate = { type: 'snapshot', status: sampleStatus(), sessions: [], terminals: [] }

  /** A follow that counts its viewers and pushes what the test gives it. */
  function followed() {
    const live = new Set<AbortSignal>()
    async function* follow(signal: AbortSignal): AsyncIterable<EngineUpdate> {
      live.add(signal)
      try {
        yield snapshot
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      } finally {
        live.delete(signal)
      }
    }
    return { live, api: { follow, sessions: async () => [] } satisfies Partial<ControlApi> }
  }

  it('end when the viewer stops them', async () => {
    const { live, api } = followed()
    const { port, token } = await listen(api)
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'subscription', 'follow')
    expect((await v.next((f) => f.result?.type === 'data')).result?.data).toEqual(snapshot)
    expect(live.size).toBe(1)
    v.send({ id: 1, method: 'subscription.stop' })
    await v.next((f) => f.result?.type === 'stopped')
    expect(live.size).toBe(0)
  })

  it('end when the viewer goes away without a word', async () => {
    const { live, api } = followed()
    const { port, token, control } = await listen(api)
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'subscription', 'follow')
    await v.next((f) => f.result?.type === 'data')
    v.socket.terminate()
    await until(() => live.size === 0 && control.connections === 0)
  })

  it('end when the engine ends, and the viewer is told', async () => {
    const { live, api } = followed()
    const { port, token, control } = await listen(api)
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'subscription', 'follow')
    await v.next((f) => f.result?.type === 'data')
    control.dispose()
    control.dispose()
    expect((await v.closed).code).toBe(1001)
    await until(() => live.size === 0)
  })
})

describe('a viewer that does not read', () => {
  it('is dropped, the others go on, and it gets a snapshot when it comes back', async () => {
    const block = 'x'.repeat(64 * 1024)
    let flooding = 0
    async function* follow(signal: AbortSignal): AsyncIterable<EngineUpdate> {
      yield { type: 'snapshot', status: sampleStatus(), sessions: [], terminals: [] }
      flooding++
      try {
        while (!signal.aborted) {
          yield { type: 'session', session: sampleSession({ name: block }) }
          await new Promise((r) => setImmediate(r))
        }
      } finally {
        flooding--
      }
    }
    const { port, token } = await listen(
      { follow, status: async () => sampleStatus() },
      { maxBufferedBytes: 1024 * 1024 },
    )
    const quiet = await viewer(port)
    await quiet.admit(token)
    quiet.call(1, 'query', 'status')
    await quiet.next((f) => f.id === 1)

    const asleep = await viewer(port)
    await asleep.admit(token)
    asleep.call(1, 'subscription', 'follow')
    await asleep.next((f) => f.result?.type === 'data')
    asleep.socket.pause()
    await until(() => flooding === 1)
    await until(() => flooding === 0)
    asleep.socket.resume()
    expect((await asleep.closed).code).toBe(1006)

    quiet.call(2, 'query', 'status')
    expect((await quiet.next((f) => f.id === 2)).result?.type).toBe('data')
    const back = await viewer(port)
    await back.admit(token)
    back.call(1, 'subscription', 'follow')
    expect((await back.next((f) => f.result?.type === 'data')).result?.data).toMatchObject({ type: 'snapshot' })
  })
})

describe('heartbeat', () => {
  it('drops a viewer that no longer answers', async () => {
    const clock = virtualClock()
    const { port, token, control } = await listen({ status: async () => sampleStatus() }, { clock })
    const v = await viewer(port, { autoPong: false })
    await v.admit(token)
    v.call(1, 'query', 'status')
    await v.next((f) => f.id === 1)
    await clock.advance(pingEveryMs)
    await clock.advance(pongWithinMs)
    expect((await v.closed).code).toBe(1006)
    await until(() => control.connections === 0)
  })

  it('keeps a quiet viewer that answers', async () => {
    const clock = virtualClock()
    const { port, token } = await listen({ status: async () => sampleStatus() }, { clock })
    const v = await viewer(port)
    await v.admit(token)
    v.call(1, 'query', 'status')
    await v.next((f) => f.id === 1)
    for (let round = 2; round < 5; round++) {
      const pinged = new Promise((resolve) => v.socket.once('ping', resolve))
      await clock.advance(pingEveryMs)
      await pinged
      // answered after the pong, so the pong was seen
      v.call(round, 'query', 'status')
      await v.next((f) => f.id === round)
      await clock.advance(pongWithinMs)
    }
    expect(v.socket.readyState).toBe(WebSocket.OPEN)
  })
})
