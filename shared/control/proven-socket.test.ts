import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { waitFor } from '../testing/wait-for.ts'
import { closeCodes, newNonce, proofOf } from './proof.ts'
import { provenSocket } from './proven-socket.ts'
import type { ControlRouter } from './router.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server at the engine's address, and a caller with many calls to make. */
async function meet(
  answer: (said: { type: string; id: string; nonce: string }) => Promise<unknown> | unknown,
  withinMs?: number,
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  closing.push(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const heard: string[] = []
  server.on('connection', (socket) => {
    closing.push(() => socket.terminate())
    socket.on('message', async (data) => {
      heard.push(String(data))
      const said = await answer(JSON.parse(String(data)) as never)
      if (said === 'close') socket.close(closeCodes.refused)
      else if (said !== undefined) socket.send(JSON.stringify(said))
    })
  })
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const codes: (number | undefined)[] = []
  let opened = 0
  const client = createWSClient({
    url: `ws://127.0.0.1:${port}/control`,
    WebSocket: provenSocket({
      WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
      credential: () => ({ id: 'page-1', key: 'the-key' }),
      path: '/control',
      withinMs,
    }),
    retryDelayMs: () => 2 ** 31 - 1,
    onOpen: () => opened++,
    onClose: (cause) => codes.push(cause?.code),
  })
  closing.push(() => void client.close())
  const api = createTRPCClient<ControlRouter>({ links: [wsLink({ client })] })
  const asked = api.say.mutate({ session: 's', text: 'a secret text' }).catch(() => undefined)
  return { heard, codes, asked, opened: () => opened }
}

describe('a proven socket', () => {
  it('sends nothing of what is asked to somebody who can’t prove himself, and says who he is', async () => {
    const met = await meet(() => ({ type: 'auth-challenge', nonce: newNonce(), proof: newNonce() }))
    await waitFor('the end', () => met.codes.length > 0)
    expect(met.codes).toEqual([closeCodes.stranger])
    expect(met.opened()).toBe(0)
    expect(met.heard).toHaveLength(1)
    expect(met.heard.join('')).not.toMatch(/secret|the-key/)
  })

  it('says why it was not let in', async () => {
    const met = await meet(() => 'close')
    await waitFor('the end', () => met.codes.length > 0)
    expect(met.codes).toEqual([closeCodes.refused])
    expect(met.heard).toHaveLength(1)
  })

  it('gives up on somebody who says nothing', async () => {
    const met = await meet(() => undefined, 200)
    await waitFor('the end', () => met.codes.length > 0)
    expect(met.codes).toEqual([closeCodes.late])
    expect(met.heard).toHaveLength(1)
  })

  it('asks what it was to ask once both have proved themselves', async () => {
    const nonce = newNonce()
    const met = await meet(async (said) => {
      if (said.type === 'auth-proof') return { type: 'auth-ok' }
      if (said.type !== 'auth-hello') return undefined
      const exchange = { path: '/control', id: said.id, callerNonce: said.nonce, engineNonce: nonce }
      return { type: 'auth-challenge', nonce, proof: await proofOf('the-key', 'engine', exchange) }
    })
    await waitFor('the call', () => met.heard.length === 3)
    expect(met.heard[2]).toContain('a secret text')
    expect(met.opened()).toBe(1)
    expect(met.codes).toEqual([])
  })
})
