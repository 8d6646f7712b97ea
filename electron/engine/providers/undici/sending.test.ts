import { describe, expect, it } from 'vitest'
import { eachTransport } from '../testing/each-transport.ts'
import { onRequests } from '../testing/wire.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const { server, transport } = eachTransport()

/** More than the system takes of a request that the server does not read. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x')

describe('a request', () => {
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
})
