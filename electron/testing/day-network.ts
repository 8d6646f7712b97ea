/** The network of a virtual day: a provider that answers at once, and the clients that ask. */
import { request as httpRequest, type Agent } from 'node:http'
import type { Transport } from '../engine/providers/types.ts'

export const tokens = { input: 1_000, output: 50 }

const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'mock-model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'It is done.' }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
    },
  }),
)

export function answersAtOnce(): Transport & { readonly calls: number } {
  let calls = 0
  return {
    get calls() {
      return calls
    },
    send(_request, handler) {
      calls++
      setImmediate(() => {
        handler.onHead(200, { 'content-type': 'application/json' })
        handler.onData(answer)
        handler.onEnd()
      })
      return { abort() {}, dump() {}, resume() {} }
    },
    async dispose() {},
  }
}

export function ask(port: number, agent: Agent, session: string): Promise<void> {
  const body = JSON.stringify({
    model: 'mock-model',
    messages: [
      { role: 'system', content: 'You write programs.' },
      { role: 'user', content: 'Go on with the next step.' },
    ],
  })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer k', 'x-session-id': session }
    const request = httpRequest(
      { port, host: '127.0.0.1', agent, method: 'POST', path: '/v1/chat/completions', headers },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
