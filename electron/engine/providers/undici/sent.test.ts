import { describe, expect, it } from 'vitest'
import { eachTransport } from '../testing/each-transport.ts'
import { answer, ask, onRequests } from '../testing/wire.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const { server, transport } = eachTransport()

/** More than the system takes of a request that the server does not read. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x')

/** Returns the value of `sent` at each event of an answer. */
async function sentAt(url: string, body: Buffer, t = transport()): Promise<Record<string, boolean | undefined>> {
  const said: Record<string, boolean | undefined> = {}
  await ask(t, { url, body }, (event, call) => {
    said[event] = call.sent?.()
  })
  return said
}

describe('a request', () => {
  it('is sent when the system has all of it, as the head of its answer tells', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(answer('ok'))))
    expect(await sentAt(`${s.url}/`, Buffer.alloc(300_000, 'x'))).toEqual({ head: true, data: true, end: true })
  })

  it('is not sent where its answer comes while the system still writes', async () => {
    const s = await server((socket) => {
      socket.once('readable', () => socket.write(answer('too large')))
    })
    expect(await sentAt(`${s.url}/`, large)).toMatchObject({ head: false })
  })

  it('is not known to be sent after a first try on a connection that was stale', async () => {
    const s = await server((socket) =>
      onRequests(socket, (_head, _body, count) => {
        if (count === 0) socket.write(answer('ok'))
        else socket.destroy()
      }),
    )
    const t = transport()
    expect(await sentAt(`${s.url}/`, Buffer.from('one'), t)).toMatchObject({ end: true })
    expect(await sentAt(`${s.url}/`, Buffer.from('two'), t)).toEqual({ head: false, data: false, end: false })
  })

  it('is on its way while the system still writes it, and no more when it waits for its answer', async () => {
    const sending: (boolean | undefined)[] = []
    for (const [body, arrives] of [[large, 'a part'] as const, [Buffer.from('small'), 'all'] as const]) {
      let arrived = false
      const s = await server((socket) => {
        if (arrives === 'all') onRequests(socket, () => (arrived = true))
        else socket.once('readable', () => (arrived = true))
      })
      const handler = { onHead: () => undefined, onData: () => true, onEnd: () => undefined, onError: () => undefined }
      const timeouts = { connectMs: 0, firstByteMs: 0, idleMs: 0 }
      const call = transport().send({ url: `${s.url}/`, method: 'POST', headers: {}, body, timeouts }, handler)
      expect(call.sending?.()).toBe(true)
      await waitFor(`${arrives} arrived`, () => arrived)
      sending.push(call.sending?.())
      call.abort()
    }
    expect(sending).toEqual([true, false])
  })

  it('is not sent where nothing answers', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.destroy()))
    expect(await sentAt(`${s.url}/`, Buffer.from('one'))).toEqual({ error: false })
  })
})
