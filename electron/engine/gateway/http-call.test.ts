import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import type { ClientCall, Reply } from '../pipeline/turn.ts'
import { openGateway, type OpenGateway } from './testing/open-gateway.ts'
import { post, rawClient } from './testing/raw-client.ts'

let gateway: OpenGateway
afterEach(() => gateway.dispose())

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))
const bytes = (text: string) => Buffer.from(text)

/** A gateway whose turns are run by the test: each arrives with its call and is ended by `done`. */
async function openByHand() {
  const arrived: { call: ClientCall; done(): void }[] = []
  const waiting: ((turn: { call: ClientCall; done(): void }) => void)[] = []
  gateway = await openGateway({
    runTurn: (call) =>
      new Promise<void>((done) => {
        const turn = { call, done }
        const next = waiting.shift()
        if (next) next(turn)
        else arrived.push(turn)
      }),
  })
  const turn = (): Promise<{ call: ClientCall; done(): void }> => {
    const ready = arrived.shift()
    return ready ? Promise.resolve(ready) : new Promise((resolve) => waiting.push(resolve))
  }
  return { turn, client: rawClient(gateway.port) }
}
const closed = (reply: Reply) => new Promise<void>((resolve) => reply.onClose(resolve))

describe('a reply', () => {
  it('sends its head before there is a body', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    expect(reply.headSent).toBe(false)
    reply.head(200, { 'content-type': 'text/event-stream', 'set-cookie': ['a=1', 'b=2'] })
    expect(reply.headSent).toBe(true)
    const head = await client.until(/\r\n\r\n/)
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/i)
    expect(head).toMatch(/x-content-type-options: nosniff\r\n/)
    reply.end()
    done()
    await client.until(/0\r\n\r\n$/)
    client.destroy()
  })

  it.each([
    ['less', 'short'],
    ['more', 'a body that is longer than that'],
  ])('closes the connection of an answer with %s bytes than its head says: nobody waits for ever', async (_, body) => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    reply.head(200, { 'content-type': 'application/json', 'content-length': '20' })
    reply.end(bytes(body))
    done()
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('sends each event when it is written, and those of one tick together', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    reply.head(200, {})
    reply.write(bytes('one '))
    reply.write(bytes(''))
    reply.write(bytes('two '))
    reply.write(bytes('three'))
    expect(await client.until(/three/)).toMatch(/\r\n\r\nd\r\none two three\r\n$/)
    reply.write(bytes('four'))
    expect(await client.until(/four/)).toMatch(/\r\n4\r\nfour\r\n$/)
    reply.write(bytes('five'))
    reply.end(bytes('six'))
    expect(await client.until(/0\r\n\r\n$/)).toMatch(/\r\n7\r\nfivesix\r\n0\r\n\r\n$/)
    done()
    client.destroy()
  })

  it.each<[string, (reply: Reply) => void]>([
    ['is cut behind its end', (reply) => reply.abort()],
    ['ends as the gateway closes', () => gateway.dispose()],
  ])('reaches its client whole beside others where it %s', async (_, cut) => {
    const { turn, client } = await openByHand()
    const beside = rawClient(gateway.port)
    beside.send(post('/v1/messages', '{}'))
    const other = await turn()
    client.send(post('/v1/messages', '{}'))
    const { call, done } = await turn()
    call.reply.head(200, { 'content-type': 'application/json', 'content-length': '9' })
    call.reply.end(bytes('all of it'))
    cut(call.reply)
    done()
    expect(await client.closed).toMatch(/\r\n\r\nall of it$/)
    other.done()
    beside.destroy()
  })

  it('is finished when everything was handed over, and was not left', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    let closes = 0
    reply.onClose(() => closes++)
    reply.head(200, {})
    reply.end(bytes('all'))
    done()
    await closed(reply)
    expect([reply.finished, reply.left]).toEqual([true, false])
    client.destroy()
    await client.closed
    await tick()
    expect([reply.finished, reply.left, closes]).toEqual([true, false, 1])
    await closed(reply)
    expect(() => {
      reply.write(bytes('x'))
      reply.end()
      reply.abort()
    }).not.toThrow()
  })

  it.each([
    ['before the head', () => undefined],
    [
      'in the middle',
      (reply: Reply) => {
        reply.head(200, {})
        reply.write(bytes('half'))
      },
    ],
  ] as [string, (reply: Reply) => void][])('is left when the client goes %s', async (_when, begin) => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    begin(reply)
    if (reply.headSent) await client.until(/half/)
    client.destroy()
    await closed(reply)
    expect([reply.finished, reply.left]).toEqual([false, true])
    if (!reply.headSent) reply.head(200, {})
    expect(reply.write(bytes('nobody hears this'))).toBe(true)
    reply.end()
    done()
    await tick()
    expect([reply.finished, reply.left]).toEqual([false, true])
    expect((await fetch(`${gateway.base}/health`)).status).toBe(200)
  })

  it('is left, not finished, when the client goes while the end is still on its way', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    client.pause()
    reply.head(200, {})
    for (let i = 0; i < 30; i++) reply.write(Buffer.alloc(1024 * 1024))
    reply.end(bytes('the end'))
    done()
    await tick()
    expect(reply.finished).toBe(false)
    client.destroy()
    await closed(reply)
    expect([reply.finished, reply.left]).toEqual([false, true])
  })

  it('asks to wait while the client does not read, and says when to go on, each time', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    let drains = 0
    let wake: () => void = () => undefined
    reply.onDrain(() => {
      drains++
      wake()
    })
    reply.head(200, {})
    const chunk = Buffer.alloc(256 * 1024, 0x61)
    let sent = 0
    for (let round = 1; round <= 2; round++) {
      client.pause()
      do sent += chunk.length
      while (reply.write(chunk))
      expect(sent).toBeLessThan(64 * 1024 * 1024)
      const drained = new Promise<void>((resolve) => {
        wake = resolve
      })
      client.resume()
      await drained
      expect(drains).toBe(round)
    }
    reply.end(bytes('|'))
    done()
    const text = await client.until(/0\r\n\r\n$/)
    expect(text.match(/a/g)?.length).toBeGreaterThanOrEqual(sent)
    client.destroy()
  })

  it('broken off still brings what was written, and no proper end', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    reply.head(200, {})
    reply.write(bytes('event: a\n\n'))
    reply.abort()
    done()
    const text = await client.closed
    expect(text).toMatch(/event: a\n\n\r\n$/)
    expect(text).not.toMatch(/0\r\n\r\n$/)
    expect([reply.finished, reply.left]).toEqual([false, true])
  })

  it('leaves out headers that HTTP does not allow', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    reply.head(200, { 'x-good': 'yes', 'x-bad': 'a\r\nb', 'bad name': 'x' })
    reply.end(bytes('ok'))
    done()
    const text = await client.until(/ok/)
    expect(text).toMatch(/x-good: yes/)
    expect(text).not.toMatch(/x-bad|bad name/)
    client.destroy()
  })

  it('refuses a body without a head, and a second head', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '{}'))
    const {
      call: { reply },
      done,
    } = await turn()
    expect(() => reply.write(bytes('x'))).toThrow(expect.objectContaining({ code: 'reply-without-head' }))
    expect(() => reply.end()).toThrow(expect.objectContaining({ code: 'reply-without-head' }))
    reply.head(200, {})
    expect(() => reply.head(200, {})).toThrow(expect.objectContaining({ code: 'reply-head-twice' }))
    reply.end()
    done()
    client.destroy()
  })

  it('tells a request that waits behind another one that its client left', async () => {
    const { turn, client } = await openByHand()
    client.send(post('/v1/messages', '1'), post('/v1/messages', '2'))
    const first = await turn()
    const second = await turn()
    client.destroy()
    await Promise.all([closed(first.call.reply), closed(second.call.reply)])
    expect([first.call.reply.left, second.call.reply.left]).toEqual([true, true])
    first.done()
    second.done()
  })

  it('keeps no request body once the pipeline has let go of it', async () => {
    let body: WeakRef<Buffer> | undefined
    let finish: () => void = () => undefined
    let begun: () => void = () => undefined
    const started = new Promise<void>((resolve) => {
      begun = resolve
    })
    gateway = await openGateway({
      runTurn: (call) => {
        body = new WeakRef(call.body)
        // as the pipeline does when no retry can come any more
        call.body = Buffer.alloc(0)
        const { reply } = call
        reply.head(200, {})
        reply.write(bytes('first'))
        return new Promise<void>((resolve) => {
          finish = () => {
            reply.end()
            resolve()
          }
          begun()
        })
      },
    })
    const client = rawClient(gateway.port)
    client.send(post('/v1/messages', 'x'.repeat(300_000)))
    await started
    await client.until(/first/)
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('gc')
    if (typeof gc !== 'function') throw new Error('no gc')
    for (let i = 0; i < 20 && body?.deref(); i++) {
      await tick()
      gc()
    }
    expect(body?.deref()?.length).toBeUndefined()
    finish()
    await client.until(/0\r\n\r\n$/)
    client.destroy()
  })
})
