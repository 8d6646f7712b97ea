/**
 * Lines for borrowed providers over the hub. NATS keeps the order of one sender and may drop, so messages are numbered,
 * and a line that misses one is lost. An answer to a request may be one message only, so each way has a subject: the
 * hub lets an engine send under its own name alone.
 */
import { pause, type Clock } from '../base/clock.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Line } from '../providers/via/line.ts'
import { lendSubject, lentSubject } from './subjects.ts'
import type { Hub } from './types.ts'

export interface LinesDeps {
  hub: Pick<Hub, 'ask' | 'serve' | 'send' | 'hear' | 'most' | 'lost'>
  fleet: string
  /** this one */
  engine: string
  clock: Clock
  random: Pick<Random, 'token'>
  log: Pick<Log, 'error'>
  /** takes the line of another engine that borrows. @throws OnwardError why it may not */
  lend(line: Line): Promise<void>
}

export interface Lines {
  /** @throws OnwardError `fleet-…` */
  open(engine: string): Promise<Line>
}

/** line and number */
const headBytes = 12
const idBytes = 8
/** Of a piece: others of the hub have their turn after it. */
const mostBytes = 64 * 1024
const beatMs = 10_000
/** an engine that says nothing for three of them is away */
const silentMs = 3 * beatMs
const closing = Buffer.of(0)
const taken = 'taken'

export function createLines({ hub, fleet, engine, clock, random, log, lend }: LinesDeps): Lines {
  /** by the other engine and the line's name */
  const open = new Map<string, { take(number: number, rest: Buffer): void; end(why: Error): void }>()

  const begin = (peer: string, id: Buffer): Line & { beat(): Promise<void> } => {
    const key = `${peer} ${id.toString('hex')}`
    const subject = lentSubject(fleet, peer, engine)
    const early: Buffer[] = []
    let listener: ((message: Buffer) => void) | null = null
    let sent = 0
    let heard = 0
    let heardAt = clock.monotonic()
    let over = false
    let lose: (why: Error) => void = () => undefined
    const lost = new Promise<Error>((resolve) => {
      lose = resolve
    })
    const beats = new AbortController()
    const send = (rest: Buffer) => {
      if (over) return
      const message = Buffer.allocUnsafe(headBytes + rest.length)
      message.set(id, 0)
      message.writeUInt32BE(sent, idBytes)
      message.set(rest, headBytes)
      sent = (sent + 1) % 2 ** 32
      try {
        hub.send(subject, message)
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)))
      }
    }
    const end = (why: Error) => {
      if (over) return
      over = true
      beats.abort()
      open.delete(key)
      lose(why)
    }
    const beat = async () => {
      heardAt = clock.monotonic()
      while (!over) {
        send(Buffer.alloc(0))
        await pause(clock, beatMs, beats.signal)
        if (clock.monotonic() - heardAt >= silentMs)
          end(new OnwardError('fleet-silent', `${peer} was not heard of for ${silentMs / 1000} s.`))
      }
    }
    open.set(key, {
      end,
      take(number, rest) {
        heardAt = clock.monotonic()
        if (number !== heard) {
          send(closing)
          return end(new OnwardError('fleet-lossy', 'The hub dropped a message on its way.'))
        }
        heard = (heard + 1) % 2 ** 32
        if (rest.length === closing.length) return end(new Error('the line ended'))
        if (rest.length === 0) return
        if (listener) listener(rest)
        else early.push(rest)
      },
    })
    return {
      beat,
      most: Math.min(mostBytes, hub.most - headBytes),
      send,
      lost,
      onMessage(take) {
        listener = take
        for (const message of early.splice(0)) take(message)
      },
      close() {
        send(closing)
        end(new Error('the line ended'))
      },
    }
  }

  hub.hear(lentSubject(fleet, engine, '*'), (subject, message) => {
    const peer = subject.split('.').at(-1) ?? ''
    if (message.length < headBytes) return
    const one = open.get(`${peer} ${message.subarray(0, idBytes).toString('hex')}`)
    one?.take(message.readUInt32BE(idBytes), message.subarray(headBytes))
  })
  hub.serve(lendSubject(fleet, engine, '*'), async (subject, text) => {
    const id = Buffer.from(text, 'hex')
    if (id.length !== idBytes) return 'bad-request'
    const line = begin(subject.split('.').at(-1) ?? '', id)
    try {
      await lend(line)
      void line.beat()
      return taken
    } catch (error) {
      line.close()
      if (OnwardError.isInstance(error)) return error.message
      log.error({ error: messageOf(error) }, 'an engine of the fleet could not be lent to')
      return 'The engine failed there.'
    }
  })
  void hub.lost.then((why) => {
    for (const { end } of open.values()) end(why)
  })
  return {
    async open(peer) {
      const id = Buffer.from(random.token(idBytes), 'base64url').subarray(0, idBytes)
      const line = begin(peer, id)
      const said = await hub.ask(lendSubject(fleet, peer, engine), id.toString('hex')).catch((error: unknown) => {
        line.close()
        throw error
      })
      if (said === taken) {
        // Nothing is said on it before the other end is there.
        void line.beat()
        return line
      }
      line.close()
      throw new OnwardError('fleet-may-not', said, { status: 403, details: { engine: peer } })
    },
  }
}
