import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { pacedReads } from './pools.ts'

const open: { destroy(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0).reverse()) one.destroy()
})

/** Both ends of a connection; the reader reads as undici does, by `readable`. */
async function pair() {
  const server = createServer({ noDelay: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const reader = connect(address.port, '127.0.0.1')
  const [writer] = (await once(server, 'connection')) as [Socket]
  server.close()
  open.push(reader, writer)
  const got: string[] = []
  let heard = () => {}
  reader.on('readable', () => {
    for (let chunk: Buffer | null; (chunk = reader.read() as Buffer | null) !== null;) got.push(chunk.toString())
    heard()
  })
  return {
    reader,
    writer,
    got,
    /** resolves once it is in the kernel, that is: written and on its way over the loopback */
    write: (text: string) => new Promise<void>((done) => writer.write(text, () => done())),
    arrived: (count: number) =>
      new Promise<void>((done) => {
        heard = () => {
          if (got.length >= count) done()
        }
        heard()
      }),
  }
}
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((done) => setImmediate(done))
}

describe('a socket whose reads are paced', () => {
  it('leaves what comes in the kernel, and reads it in one piece when it is told to', async () => {
    const { reader, got, write, arrived } = await pair()
    const reads = pacedReads(reader)
    await write('first')
    await arrived(1)
    reads.pace()
    // the read that was already under way
    await write('second')
    await arrived(2)
    const read = reader.bytesRead
    await write('third ')
    await write('fourth')
    await turns(20)
    expect([reader.bytesRead, got]).toEqual([read, ['first', 'second']])
    reads.next()
    await arrived(3)
    await write('fifth')
    await turns(20)
    expect(got).toEqual(['first', 'second', 'third fourth'])
    reads.free()
    await arrived(4)
    await write('sixth')
    await arrived(5)
    expect(got.slice(3)).toEqual(['fifth', 'sixth'])
  })

  it('reads once where it is told so before anybody wants data', async () => {
    const { reader, got, write, arrived } = await pair()
    const reads = pacedReads(reader)
    const listeners = reader.listeners('readable') as (() => void)[]
    await write('first')
    await arrived(1)
    reads.pace()
    reader.removeAllListeners('readable')
    await write('second')
    await turns(20)
    reads.next()
    for (const listener of listeners) reader.on('readable', listener)
    await arrived(2)
    await write('third')
    await arrived(3)
    expect(got).toEqual(['first', 'second', 'third'])
  })

  it('hears of the end once it is free', async () => {
    const { reader, writer, got, write, arrived } = await pair()
    const reads = pacedReads(reader)
    await write('first')
    await arrived(1)
    reads.pace()
    await write('second')
    await arrived(2)
    const ended = once(reader, 'end')
    writer.end('last')
    await once(writer, 'finish')
    reads.free()
    await ended
    expect(got).toEqual(['first', 'second', 'last'])
  })
})
