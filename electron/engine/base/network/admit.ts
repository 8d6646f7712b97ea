/** The engine's side of the exchange in shared/control/proof.ts. */
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import {
  closeCodes,
  isProof,
  isSignature,
  newNonce,
  proofOf,
  proveWithinMs,
  type AuthMessage,
  type Exchange,
} from '../../../../shared/control/proof.ts'
import { parseJson } from '../../../../shared/parse-json.ts'
import type { Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'

const word = z.string().regex(/^[A-Za-z0-9_-]{1,200}$/)
const hello = z.object({ type: z.literal('auth-hello'), id: word, nonce: word.min(20) })
const proof = z.object({ type: z.literal('auth-proof'), proof: word })

/** Whose proof counts at one path. */
export interface Keys {
  /**
   * null: the id is not known. Asked again before the proof counts, so that what was used or ended meanwhile is refused
   */
  keyOf(id: string): string | null
  /** not null: this caller signs with the other half of it, and the engine alone proves itself by `keyOf` */
  publicKeyOf?(id: string): string | null
  /**
   * The proof was right; runs before the caller hears of it.
   * @returns takes that back, for a caller that left without a word of its own: it may not have heard of it
   */
  admitted?(exchange: Exchange): Promise<(() => void) | null>
}

export interface AdmissionDeps {
  keys: Keys
  path: string
  clock: Clock
  /** callers that are at their proofs at once */
  maxUnproven?: number
}

export interface Admission {
  /** `id`: of the credential that counted */
  onAdmitted(id: string): void
  onRefused(why: string): void
}

/** Bytes that a caller may send before it is admitted, whatever they are: hello and proof take 300. */
export const maxUnprovenBytes = 4 * 1024
/** A proof takes a few milliseconds, so a caller that has to make room here does not have the key. */
const defaultMaxUnproven = 64
/** ms for the other side to say goodbye; `ws` waits for 30 s */
const closeWithinMs = 250

/** Says why, and doesn't wait for an answer to it. */
export function closeSoon(socket: WebSocket, clock: Clock, code: number, why: string): void {
  socket.close(code, why)
  const cut = clock.after(closeWithinMs, () => socket.terminate())
  socket.once('close', () => cut.dispose())
}

/** @returns what lets one connection in; all of one path share a bound of those that have proved nothing yet */
export function createAdmission(
  deps: AdmissionDeps,
): (socket: WebSocket, raw: Duplex, admission: Admission, keys?: Keys) => void {
  const unproven = new Set<() => void>()
  return (socket, raw, admission, keys = deps.keys) => {
    const makeRoom = admit(
      socket,
      raw,
      { ...deps, keys },
      {
        ...admission,
        onLeft: () => unproven.delete(makeRoom),
      },
    )
    unproven.add(makeRoom)
    const [oldest] = unproven
    if (unproven.size > (deps.maxUnproven ?? defaultMaxUnproven)) oldest?.()
  }
}

/**
 * Lets one connection in. Until both sides have proved themselves nothing is parsed as anything else, nothing
 * is answered to an id that is not known, a second word out of turn ends it, and so do more bytes than a proof takes.
 * @param raw what `socket` reads from: `ws` takes one size of messages for a connection's whole life
 * @returns ends it in favour of others
 */
function admit(
  socket: WebSocket,
  raw: Duplex,
  { keys, path, clock }: AdmissionDeps,
  admission: Admission & { onLeft(): void },
): () => void {
  let step: 'hello' | 'proof' | 'busy' | 'over' = 'hello'
  let exchange: Exchange | null = null
  let bytes = 0
  const leave = () => {
    step = 'over'
    deadline.dispose()
    socket.off('message', onMessage)
    socket.off('close', leave)
    admission.onLeft()
  }
  const refuse = (code: number, why: string) => {
    if (step === 'over') return
    leave()
    admission.onRefused(why)
    closeSoon(socket, clock, code, why)
  }
  const cut = (code: number, why: string) => {
    refuse(code, why)
    socket.terminate()
  }
  const say = (message: AuthMessage) => socket.send(JSON.stringify(message))
  const onHello = async (data: RawData) => {
    const said = hello.safeParse(parseJson(String(data))).data
    if (!said) return refuse(closeCodes.refused, 'the first message is no hello')
    const key = keys.keyOf(said.id)
    if (key === null) return refuse(closeCodes.refused, 'nobody of that id')
    exchange = { path, id: said.id, callerNonce: said.nonce, engineNonce: newNonce() }
    const own = await proofOf(key, 'engine', exchange)
    if (step !== 'busy') return
    step = 'proof'
    say({ type: 'auth-challenge', nonce: exchange.engineNonce, proof: own })
  }
  const onProof = async (data: RawData) => {
    const said = proof.safeParse(parseJson(String(data))).data
    if (!said || !exchange) return refuse(closeCodes.refused, 'the second message is no proof')
    const key = keys.keyOf(exchange.id)
    const publicKey = keys.publicKeyOf?.(exchange.id) ?? null
    const right =
      key !== null &&
      (await (publicKey === null
        ? isProof(key, 'caller', exchange, said.proof)
        : isSignature(publicKey, exchange, said.proof)))
    if (step !== 'busy') return
    // used or ended while the proof was looked at
    if (!right || keys.keyOf(exchange.id) !== key) return refuse(closeCodes.refused, 'wrong proof')
    const takeBack = (await keys.admitted?.(exchange)) ?? null
    if (step !== 'busy') return takeBack?.()
    leave()
    if (takeBack) {
      socket.once('close', takeBack)
      socket.once('message', () => socket.off('close', takeBack))
    }
    raw.off('data', count)
    say({ type: 'auth-ok' })
    admission.onAdmitted(exchange.id)
  }
  const onMessage = (data: RawData) => {
    const now = step
    if (now === 'busy') return refuse(closeCodes.refused, 'a message out of turn')
    step = 'busy'
    ;(now === 'hello' ? onHello(data) : onProof(data)).catch((error: unknown) =>
      refuse(closeCodes.refused, messageOf(error)),
    )
  }
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxUnprovenBytes) cut(closeCodes.refused, 'too many bytes before a proof')
  }
  const deadline = clock.after(proveWithinMs, () => cut(closeCodes.late, 'no proof came in time'))
  raw.on('data', count)
  socket.on('message', onMessage)
  socket.once('close', leave)
  return () => cut(closeCodes.late, 'others wait to prove themselves')
}
