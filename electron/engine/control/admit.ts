import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { connectionParams } from '../../../shared/control/router.ts'
import type { Clock } from '../base/clock.ts'
import { sameToken } from './token.ts'

/** Close codes of the control socket, 4000-4999 being free for applications (RFC 6455, 7.4.2). */
export const closeCodes = { wrongToken: 4401, noToken: 4408, engineEnds: 1001 } as const

/** How long a connection may stay without its first message. */
export const tokenWithinMs = 5_000

/** The first message of a tRPC client that was given `connectionParams`. */
const firstMessage = z.object({ method: z.literal('connectionParams'), data: connectionParams })

export interface Door {
  token: string
  clock: Clock
  onAdmitted(first: RawData): void
  onRefused(why: string): void
}

/**
 * The doorman of one connection. Until the token came, nothing is parsed as a call and nothing is answered: tRPC's
 * own adapter would already answer malformed first messages.
 */
export function admit(socket: WebSocket, door: Door): void {
  const refuse = (code: number, why: string) => {
    leave()
    door.onRefused(why)
    socket.close(code, why)
  }
  const deadline = door.clock.after(tokenWithinMs, () => refuse(closeCodes.noToken, 'no control token came'))
  const onFirst = (data: RawData) => {
    const params = firstMessage.safeParse(jsonOf(data)).data
    if (!params) return refuse(closeCodes.wrongToken, 'the first message carries no control token')
    if (!sameToken(params.data.token, door.token)) return refuse(closeCodes.wrongToken, 'wrong control token')
    leave()
    door.onAdmitted(data)
  }
  const leave = () => {
    deadline.dispose()
    socket.off('message', onFirst)
  }
  socket.on('message', onFirst)
  socket.once('close', leave)
}

function jsonOf(data: RawData): unknown {
  try {
    return JSON.parse(String(data))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
