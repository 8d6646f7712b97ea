import { answerJson } from './answer.ts'
import { refuse, type Exchange } from './exchange.ts'
import type { Door } from './paths.ts'
import type { GatewayDeps } from './types.ts'

/** Small answers for clients that look whether somebody is there. They say nothing that needs a key. */
export function answerPage(deps: GatewayDeps, { req, res, headers }: Exchange, page: Extract<Door, { kind: 'page' }>['page']): void {
  switch (page) {
    case 'root':
      if (headers['accept']?.includes('text/html')) {
        res.writeHead(302, { location: '/dashboard/', 'content-length': '0' })
        return void res.end()
      }
      return answerJson(req, res, 200, { name: 'onward', dashboard: '/dashboard/' })
    case 'ready': {
      const ready = deps.ready()
      return answerJson(req, res, ready ? 200 : 503, { name: 'onward', ready })
    }
    // Claude Code sends HEAD /api/hello when it starts and only wants to be answered (client-facts b).
    case 'hello':
    case 'health': return answerJson(req, res, 200, { name: 'onward', status: 'ok' })
  }
}

/** Anthropic's SDK sends `anthropic-version` and `x-api-key` with every call, OpenAI's neither. */
export function answerModels(deps: GatewayDeps, exchange: Exchange, id: string | null): void {
  const { req, res, headers } = exchange
  const asking = headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined ? 'anthropic' : 'openai'
  const list = deps.listModels(asking)
  if (id === null) return answerJson(req, res, 200, list)
  const model = list.data.find((m) => m.id === id)
  if (model) return answerJson(req, res, 200, model)
  refuse(deps, exchange, { status: 404, code: 'unknown-model', message: `No model "${id.slice(0, 200)}" is configured.` })
}
