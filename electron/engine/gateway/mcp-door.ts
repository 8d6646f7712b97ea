/** `/mcp`: closed without a key of its own, which no other door takes, and behind the checks of Host and Origin. */
import { OnwardError } from '../base/errors.ts'
import { hashOf, isLocalKey } from '../base/network/local-keys.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { isOfThisMachine, refuseUser, type Refusal } from './access/authenticate.ts'
import { fail, refuse, type HttpCall } from './http-call.ts'
import type { GatewayDeps } from './types.ts'

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

export function enterMcp(deps: GatewayDeps, call: HttpCall, readBody: () => Promise<Buffer | null>): void {
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
