import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../../../shared/parse-json.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import { hashOf, isLocalKey } from '../base/network/local-keys.ts'
import { withoutBom } from '../protocol/json-bytes/bytes.ts'
import type { Caller } from '../sessions/types.ts'
import {
  refuseForeign,
  authenticate,
  isOfThisMachine,
  refuseUser,
  isLoopback,
  type CallingUser,
  type Refusal,
} from './access/authenticate.ts'
import { guessShape } from './answer.ts'
import { fail, flatHeaders, refuse, type HttpCall, openReply, type OpenReply } from './http-call.ts'
import {
  createBodyBudget,
  type BodyBudget,
  noRoom,
  type BodyShare,
  decodeBody,
  tooLarge,
  refuseMediaType,
  readBody,
} from './body/read-body.ts'
import type { Connections } from './connections.ts'
import { answerMetrics, answerModels, answerPage, answerTurn } from './pages/pages.ts'
import { addressOf, type Endpoint } from './paths.ts'
import type { GatewayDeps } from './types.ts'

export function requestHandler(
  deps: GatewayDeps,
  connections: Connections,
): (req: IncomingMessage, res: ServerResponse) => void {
  const bodies = createBodyBudget(() => deps.config().maxBodyBytes, deps.bodyBudgetBytes)
  return (req, res) => {
    const address = addressOf(req.url ?? '/')
    const headers = flatHeaders(req)
    const { endpoint } = address
    const call: HttpCall = {
      req,
      res,
      address,
      headers,
      requestId: `req_${deps.random.uuid()}`,
      receivedAt: deps.clock.monotonic(),
      shape: endpoint.kind === 'entry' ? endpoint.entry : guessShape(address.path, headers),
    }
    const log = (error: Error) =>
      deps.log.debug({ requestId: call.requestId, error: messageOf(error) }, 'a connection ended early')
    req.on('error', log)
    res.on('error', log)
    try {
      dispatch(deps, connections, bodies, call)
    } catch (error) {
      fail(deps, call, null, error)
    }
  }
}

function dispatch(deps: GatewayDeps, connections: Connections, bodies: BodyBudget, call: HttpCall): void {
  const {
    req,
    res,
    headers,
    address: { endpoint },
  } = call
  const { allowedHosts } = deps.config()
  const foreign = refuseForeign(headers['host'], headers['origin'], req.socket.localAddress, allowedHosts)
  if (foreign) return refuse(deps, call, foreign)
  switch (endpoint.kind) {
    case 'page':
      return answerPage(deps, call, endpoint.page)
    case 'metrics': {
      const page = deps.metrics()
      if (page === null) return refuseUnknown(deps, call)
      if (!readOnly.includes(req.method ?? '')) return refuseMethod(deps, call, readOnly)
      return void answerMetrics(deps, call, page).catch((error: unknown) => fail(deps, call, null, error))
    }
    case 'models':
    case 'turn':
    case 'entry':
      return enter(deps, connections, bodies, call, endpoint)
    case 'mcp':
      return enterMcp(deps, call, async () => {
        const share = bodies.open()
        return wholeBody(deps, call, maxMcpBytes, bodies, share).finally(share.close)
      })
    case 'gemini-operation':
      return refuse(deps, call, {
        status: 404,
        code: 'gemini-operation-not-served',
        message:
          `Onward does not serve ${shown(call)}: of the Gemini API it serves ` +
          'models and their generateContent, streamGenerateContent and countTokens.',
      })
    case 'stored-response':
      return refuse(deps, call, {
        status: 404,
        code: 'responses-operation-not-served',
        message:
          `Onward keeps no stored responses and does not serve ${shown(call)}: ` +
          'it serves POST /v1/responses and POST /v1/responses/compact.',
      })
    case 'unknown':
      if (!deps.staticPage(req, res)) refuseUnknown(deps, call)
  }
}

const refuseUnknown = (deps: GatewayDeps, call: HttpCall): void =>
  refuse(deps, call, {
    status: 404,
    code: 'unknown-path',
    message:
      `Onward serves nothing at ${shown(call)}. It serves /v1/chat/completions, ` +
      '/v1/responses, /v1/messages, /v1beta/models/…:generateContent and /v1/models.',
  })

const readOnly = ['GET', 'HEAD']

function refuseMethod(deps: GatewayDeps, call: HttpCall, methods: readonly string[]): void {
  const refusal = {
    status: 405,
    code: 'method-not-allowed',
    message: `Onward does not answer ${shown(call)}: use ${methods.join(' or ')}.`,
  }
  refuse(deps, call, refusal, { allow: methods.join(', ') })
}

/** The endpoints that need a key. */
function enter(
  deps: GatewayDeps,
  connections: Connections,
  bodies: BodyBudget,
  call: HttpCall,
  endpoint: Extract<Endpoint, { kind: 'entry' | 'models' | 'turn' }>,
): void {
  const { req, headers, address } = call
  const methods = endpoint.kind === 'entry' ? ['POST'] : readOnly
  if (!methods.includes(req.method ?? '')) return refuseMethod(deps, call, methods)
  const unread = deps.unreadable()
  if (unread !== null) return refuse(deps, call, unreadable[unread])
  const { keys, maxBodyBytes } = deps.config()
  const who = authenticate(
    { headers, urlKey: address.urlKey, queryKey: address.queryKey, remoteAddress: req.socket.remoteAddress },
    keys,
    deps.terminalByKey,
  )
  if (!who.ok) return refuse(deps, call, who.refusal)
  const admit = (user: CallingUser) => {
    const refusal = refuseUser(user, who.proof)
    if (refusal) return refuse(deps, call, refusal, refusal.status === 503 ? { 'retry-after': '1' } : {})
    // A provider that takes the caller's own credential gets it where Google's headers carry it.
    if (address.queryKey !== null) headers['x-goog-api-key'] ??= address.queryKey
    if (endpoint.kind === 'turn')
      return void answerTurn(deps, call, endpoint.requestId).catch((error: unknown) => fail(deps, call, null, error))
    if (endpoint.kind === 'models') return answerModels(deps, call, endpoint.id)
    takeTurn(deps, connections, call, endpoint, who.caller, maxBodyBytes, bodies).catch((error: unknown) =>
      fail(deps, call, null, error),
    )
  }
  const isAsked = isOfThisMachine(req.socket) && who.proof !== 'shared-key'
  const user = isAsked ? deps.peers.userOf(req.socket) : 'own'
  if (typeof user === 'string') return admit(user)
  user
    .then((user) => {
      // one that left meanwhile has no answer to get
      if (!req.socket.destroyed) admit(user)
    })
    .catch((error: unknown) => fail(deps, call, null, error))
}

/** Details of a wrong file are not for everyone who can reach the port. */
const unreadable = {
  config: {
    status: 503,
    code: 'config-unreadable',
    message:
      'Onward can’t read its config.json and has no good copy of it, so it knows no keys and takes no ' +
      'calls. `onward config check` says what is wrong; calls are taken again once the file is mended.',
  },
  policy: {
    status: 503,
    code: 'policy-unreadable',
    message:
      'Onward can’t read the policy of your organisation, so it does not know what is allowed and takes no calls. ' +
      '`onward config check` says what is wrong; calls are taken again once the file is mended.',
  },
}

const shown = ({ req, address }: HttpCall): string => `${req.method ?? ''} ${address.path.slice(0, 200)}`

/** a message of the longest text that can be said, escaped */
const maxMcpBytes = 2 * 1024 * 1024

export type EntryDoor = Extract<Endpoint, { kind: 'entry' }>

/**
 * Reads the body and hands the call to the pipeline. What throws before the reply is open is the caller's to answer.
 */
async function takeTurn(
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
    bodyReleased: () => share.close(),
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

const closed: Refusal = {
  status: 404,
  code: 'mcp-closed',
  message: 'MCP over HTTP is closed here. `onward mcp key <name>` makes a key and opens it.',
}
const badKey: Refusal = {
  status: 401,
  code: 'bad-mcp-key',
  message: 'Send a key of `onward mcp key` as Authorization: Bearer. No other key counts here.',
}

/** `/mcp`: closed without a key of its own, which no other door takes, and behind the checks of Host and Origin. */
function enterMcp(deps: GatewayDeps, call: HttpCall, readBody: () => Promise<Buffer | null>): void {
  const { req, headers } = call
  const { mcp } = deps
  const keys = mcp?.keys() ?? []
  if (!mcp || keys.length === 0) return refuse(deps, call, closed)
  const key = /^bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''
  const terminal = key === '' ? null : deps.terminalByKey(key)
  if (terminal === null && !isLocalKey(key, keys)) return refuse(deps, call, badKey, { 'www-authenticate': 'Bearer' })
  const answer = async () => {
    const isHere = isOfThisMachine(req.socket)
    const refusal = terminal !== null && isHere ? refuseUser(await deps.peers.userOf(req.socket), 'terminal-key') : null
    if (refusal) return refuse(deps, call, refusal)
    const caller = isHere ? await deps.peers.processOf(req.socket) : null
    const body = req.method === 'POST' ? await readBody() : null
    // it left meanwhile
    if (req.socket.destroyed || (body === null && req.method === 'POST')) return
    const message = body === null ? undefined : parseJson(body.toString('utf8'))
    if (message === null) throw new OnwardError('not-json', 'This is no JSON.', { status: 400 })
    await mcp.answer(req, call.res, { key: hashOf(key), terminal, caller }, message)
  }
  answer().catch((error: unknown) => fail(deps, call, null, error))
}
