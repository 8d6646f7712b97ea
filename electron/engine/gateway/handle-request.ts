import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '../base/errors.ts'
import { refuseForeign } from './access/allowed-host.ts'
import { guessShape } from './answer.ts'
import { authenticate, isOfThisMachine, refuseUser } from './access/authenticate.ts'
import { createBodyBudget, type BodyBudget } from './body/read-body.ts'
import type { CallingUser } from './access/connection-peer.ts'
import type { Connections } from './connections.ts'
import { fail, refuse, type HttpCall } from './http-call.ts'
import { flatHeaders } from './http-call.ts'
import { answerModels, answerPage, answerTurn } from './pages/pages.ts'
import { addressOf, type Endpoint } from './paths.ts'
import { takeTurn } from './take-turn.ts'
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
    case 'models':
    case 'turn':
    case 'entry':
      return enter(deps, connections, bodies, call, endpoint)
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
      if (deps.staticPage(req, res)) return
      return refuse(deps, call, {
        status: 404,
        code: 'unknown-path',
        message:
          `Onward serves nothing at ${shown(call)}. It serves /v1/chat/completions, ` +
          '/v1/responses, /v1/messages, /v1beta/models/…:generateContent and /v1/models.',
      })
  }
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
  const methods = endpoint.kind === 'entry' ? ['POST'] : ['GET', 'HEAD']
  if (!methods.includes(req.method ?? '')) {
    return refuse(
      deps,
      call,
      {
        status: 405,
        code: 'method-not-allowed',
        message: `Onward does not answer ${shown(call)}: use ${methods.join(' or ')}.`,
      },
      { allow: methods.join(', ') },
    )
  }
  if (!deps.ready()) return refuse(deps, call, configUnreadable)
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

/** Details of a wrong config file are not for everyone who can reach the port. */
const configUnreadable = {
  status: 503,
  code: 'config-unreadable',
  message:
    'Onward can’t read its config.json and has no good copy of it, so it knows no keys and takes no ' +
    'calls. `onward config check` says what is wrong; calls are taken again once the file is mended.',
}

const shown = ({ req, address }: HttpCall): string => `${req.method ?? ''} ${address.path.slice(0, 200)}`
