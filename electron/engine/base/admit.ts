/** The engine's side of the exchange in shared/control/proof.ts. */
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import {
  closeCodes,
  isProof,
  newNonce,
  proofOf,
  proveWithinMs,
  type AuthMessage,
  type Exchange,
} from '../../../shared/control/proof.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import type { Clock } from './clock.ts'
import { messageOf } from './errors.ts'

const word = z.string().regex(/^[A-Za-z0-9_-]{1,200}$/)
const hello = z.object({ type: z.literal('auth-hello'), id: word, nonce: word.min(20) })
const proof = z.object({ type: z.literal('auth-proof'), proof: word })

/** Whose proof counts at one path. */
export interface Keys {
  /**
   * null: nobody of that id. Asked again before the proof counts, so that what was used or ended meanwhile is refused
   */
  keyOf(id: string): string | null
  /** the proof was right; runs before the caller hears of it */
  admitted?(exchange: Exchange): Promise<void>
}

export interface Admission {
  keys: Keys
  path: string
  clock: Clock
  /** `id`: of the credential that counted */
  onAdmitted(id: string): void
  onRefused(why: string): void
}

/**
 * Lets one connection in. Until both sides have proved themselves nothing is parsed as anything else, nothing
 * is answered to an id that is not known, and a second word out of turn ends it.
 */
export function admit(socket: WebSocket, admission: Admission): void {
  const { keys, path, clock } = admission
  let step: 'hello' | 'proof' | 'busy' | 'over' = 'hello'
  let exchange: Exchange | null = null
  const leave = () => {
    step = 'over'
    deadline.dispose()
    socket.off('message', onMessage)
    socket.off('close', leave)
  }
  const refuse = (code: number, why: string) => {
    if (step === 'over') return
    leave()
    admission.onRefused(why)
    socket.close(code, why)
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
    const right = key !== null && (await isProof(key, 'caller', exchange, said.proof))
    if (step !== 'busy') return
    // used or ended while the proof was looked at
    if (!right || keys.keyOf(exchange.id) !== key) return refuse(closeCodes.refused, 'wrong proof')
    await keys.admitted?.(exchange)
    if (step !== 'busy') return
    leave()
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
  const deadline = clock.after(proveWithinMs, () => refuse(closeCodes.late, 'no proof came in time'))
  socket.on('message', onMessage)
  socket.once('close', leave)
}
