import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import type { ClientCall } from '../../pipeline/types.ts'
import { openGateway, type OpenGateway } from '../testing/open-gateway.ts'
import { rawClient } from '../testing/raw-client.ts'

const megabyte = 1024 * 1024
let gateway: OpenGateway
const held: ClientCall[] = []
const ends: (() => void)[] = []
afterEach(() => {
  gateway.dispose()
  held.length = 0
  ends.length = 0
})

/** Turns go on until they are told to end. */
const open = async (budgetBytes: number, maxBodyBytes = megabyte) => {
  gateway = await openGateway({
    bodyBudgetBytes: budgetBytes,
    server: { maxBodyBytes },
    runTurn: (call) => {
      held.push(call)
      return new Promise((done) =>
        ends.push(() => {
          call.reply.head(200, {})
          call.reply.end(Buffer.from('{}'))
          done()
        }),
      )
    },
  })
}
const send = (body: Buffer, headers: Record<string, string> = {}) =>
  fetch(`${gateway.base}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
  })
const plain = Buffer.alloc(megabyte, 0x20)
const gzip = { 'content-encoding': 'gzip' }

describe('request bodies in flight', () => {
  it.each([
    ['packed', gzipSync(plain), gzip],
    ['plain', plain, {}],
  ])('hold no more than their budget together: %s', async (_, body, headers) => {
    // a little more than four: what is packed takes room, too
    await open(4.5 * megabyte)
    const answers = Array.from({ length: 40 }, () => send(body, headers))
    await waitFor('as many as fit', () => held.length === 4)
    const busy: Response[] = []
    for (const answer of answers) void answer.then((response) => busy.push(response))
    await waitFor('the others to be refused', () => busy.length === 36)
    for (const response of busy) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await response.json()).toMatchObject({ code: 'bodies-in-flight' })
    }
    for (const end of ends.splice(0)) end()
    expect((await Promise.all(answers)).filter(({ status }) => status === 200)).toHaveLength(4)
    const next = send(body, headers)
    await waitFor('the next turn', () => held.length === 5)
    for (const end of ends.splice(0)) end()
    expect((await next).status).toBe(200)
  })

  it('are free again as soon as a turn needs its own no more, and however it ends', async () => {
    await open(2 * megabyte)
    const first = send(plain)
    const second = send(plain)
    await waitFor('two turns', () => held.length === 2)
    expect((await send(plain)).status).toBe(503)
    held[0]?.bodyReleased?.()
    held[0]?.bodyReleased?.()
    const third = send(plain)
    await waitFor('the third turn', () => held.length === 3)
    expect((await send(plain)).status).toBe(503)
    for (const end of ends.splice(0)) end()
    for (const answer of [first, second, third]) expect((await answer).status).toBe(200)
    expect((await send(Buffer.from('x'), gzip)).status).toBe(400)
    expect((await send(gzipSync(Buffer.alloc(3 * megabyte)), gzip)).status).toBe(413)
    const leaving = rawClient(gateway.port)
    leaving.send(
      'POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ' +
        `application/json\r\nContent-Length: ${megabyte}\r\n\r\n`,
      plain.subarray(0, megabyte - 1),
    )
    leaving.destroy()
    await leaving.closed
    const again = [send(plain), send(plain)]
    await waitFor('room for two once more', () => held.length === 5)
    for (const end of ends.splice(0)) end()
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200])
  })

  it.each([
    ['a long one, with its memory', megabyte, true, 0],
    ['a long one that somebody still reads', megabyte, false, megabyte],
    ['a short one, whose memory goes with a collection', 1000, true, 1000],
  ])('end with the word of the pipeline: %s', async (_, length, unread, left) => {
    await open(4 * megabyte)
    const answer = send(plain.subarray(0, length))
    await waitFor('the turn', () => held.length === 1)
    const [{ body, bodyReleased } = {}] = held
    expect(body?.length).toBe(length)
    bodyReleased?.(unread ? body : undefined)
    // Emptied twice is empty.
    bodyReleased?.(unread ? body : undefined)
    expect(body?.length).toBe(left)
    for (const end of ends.splice(0)) end()
    expect((await answer).status).toBe(200)
  })

  it('is told to a client before it sends one that has no room', async () => {
    await open(2 * megabyte)
    const taken = [send(plain), send(plain)]
    await waitFor('two turns', () => held.length === 2)
    const client = rawClient(gateway.port)
    client.send(
      'POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ' +
        'application/json\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    )
    expect(await client.until(/bodies-in-flight/)).toMatch(/^HTTP\/1\.1 503 /)
    client.destroy()
    for (const end of ends.splice(0)) end()
    await Promise.all(taken)
  })

  it('always fit where they are the only ones, whatever the limit', async () => {
    await open(1, 3 * megabyte)
    const big = Buffer.alloc(3 * megabyte, 0x20)
    const answer = send(gzipSync(big), gzip)
    await waitFor('the turn', () => held.length === 1)
    for (const end of ends.splice(0)) end()
    expect((await answer).status).toBe(200)
  })
})
