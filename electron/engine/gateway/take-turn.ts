import { OnwardError } from '../base/errors.ts'
import { freeMemory } from '../base/free-memory.ts'
import { withoutBom } from '../base/without-bom.ts'
import type { Caller } from '../sessions/types.ts'
import { isLoopback } from './access/authenticate.ts'
import { noRoom, type BodyBudget, type BodyShare } from './body/read-body.ts'
import type { Connections } from './connections.ts'
import { decodeBody, tooLarge } from './body/decode-body.ts'
import { fail, refuse, type HttpCall } from './http-call.ts'
import { refuseMediaType } from './body/decode-body.ts'
import type { Endpoint } from './paths.ts'
import { readBody } from './body/read-body.ts'
import { openReply, type OpenReply } from './reply.ts'
import type { GatewayDeps } from './types.ts'

/** Bytes of a body whose memory is worth a call of its own; less goes with a collection. */
const FREED_FROM = 64 * 1024

export type EntryDoor = Extract<Endpoint, { kind: 'entry' }>

/**
 * Reads the body and hands the call to the pipeline. What throws before the reply is open is the caller's to answer.
 */
export async function takeTurn(
  deps: GatewayDeps,
  connections: Connections,
  call: HttpCall,
  endpoint: EntryDoor,
  caller: Caller,
  limit: number,
  bodies: BodyBudget,
): Promise<void> {
  const { headers } = call
  const wrongType = refuseMediaType(headers['content-type'])
  if (wrongType) return refuse(deps, call, wrongType)
  const share = bodies.open()
  try {
    const body = await wholeBody(deps, call, limit, bodies, share)
    if (body === null) return share.close()
    // Open from here on, so that a client that leaves while its call waits is known to have left.
    const reply = openReply(call.req, call.res, call.requestId, connections, deps.log)
    const calm = connections.calm()
    if (calm) await calm
    runTurn(deps, reply, call, endpoint, caller, body, share)
  } catch (error) {
    share.close()
    throw error
  }
}

/**
 * The body in plain; null: the client left. @throws OnwardError with a status below 500, or `bodies-in-flight` (503)
 */
async function wholeBody(
  deps: GatewayDeps,
  { req, res, headers, requestId }: HttpCall,
  limit: number,
  bodies: BodyBudget,
  share: BodyShare,
): Promise<Buffer | null> {
  const read = await readBody(req, res, limit, share)
  switch (read.kind) {
    case 'left':
      deps.log.debug({ requestId }, 'the client left before its request was whole')
      return null
    case 'too-large':
      throw tooLarge(limit)
    case 'no-room':
      throw noRoom()
    case 'whole': {
      const encoding = headers['content-encoding']
      if (encoding === undefined) return withoutBom(read.body)
      const plain = await bodies.inTurn(() => decodeBody(read.body, encoding, limit, share))
      // The pipeline gets, and sends on, the unpacked body.
      delete headers['content-encoding']
      return withoutBom(plain)
    }
  }
}

/** Keeps no reference to the body, so that the pipeline can let go of it while the answer streams. */
function runTurn(
  deps: GatewayDeps,
  reply: OpenReply,
  call: HttpCall,
  endpoint: EntryDoor,
  caller: Caller,
  body: Buffer,
  share: BodyShare,
): void {
  const { req, requestId, receivedAt, headers, address } = call
  const turn = deps.runTurn({
    requestId,
    receivedAt,
    headers,
    caller,
    body,
    bodyReleased(memory) {
      share.close()
      if (memory && memory.length >= FREED_FROM) freeMemory(memory)
    },
    reply,
    entry: endpoint.entry,
    endpoint: endpoint.endpoint,
    method: 'POST',
    path: endpoint.path + address.query,
    callingProcess: isLoopback(req.socket.remoteAddress) ? () => deps.peers.processOf(req.socket) : null,
  })
  turn.then(
    () => {
      share.close()
      mustHaveEnded(deps, call, reply)
    },
    (error: unknown) => {
      share.close()
      fail(deps, call, reply, error)
    },
  )
}

function mustHaveEnded(deps: GatewayDeps, call: HttpCall, reply: OpenReply): void {
  if (reply.ended || reply.left) return
  fail(
    deps,
    call,
    reply,
    new OnwardError(
      'turn-without-answer',
      'Onward ended this turn without an answer. That is a bug in Onward; its log has the request id.',
    ),
  )
}
