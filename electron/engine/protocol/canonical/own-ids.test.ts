import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import { plainRequest } from '../testing/plain-request.ts'
import type { WriteContext } from './codec.ts'
import { wireProtocols, type CanonicalRequest, type WireProtocol } from './request.ts'
import { convertToBody, convertToStream } from './testing/convert-bytes.ts'

/** A vendor that gives answers and calls the same ids again and again, as Ollama does with its 999. */
const answers: Record<WireProtocol, object> = {
  chat: {
    id: 'same-1',
    model: 'm-up',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          tool_calls: [0, 1].map((index) => ({
            index,
            id: 'call_0',
            type: 'function',
            function: { name: 'look', arguments: '{}' },
          })),
        },
      },
    ],
  },
  messages: {
    id: 'same-1',
    type: 'message',
    role: 'assistant',
    model: 'm-up',
    content: [0, 1].map(() => ({ type: 'tool_use', id: 'call_0', name: 'look', input: {} })),
    stop_reason: 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  responses: {
    id: 'resp_same',
    object: 'response',
    status: 'completed',
    model: 'm-up',
    output: [0, 1].map(() => ({
      type: 'function_call',
      id: 'fc_0',
      call_id: 'call_0',
      name: 'look',
      arguments: '{}',
      status: 'completed',
    })),
  },
  gemini: {
    responseId: 'same-1',
    modelVersion: 'm-up',
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [0, 1].map(() => ({ functionCall: { id: 'call_0', name: 'look', args: {} } })),
        },
      },
    ],
  },
}
const request: CanonicalRequest = {
  ...plainRequest,
  tools: [{ type: 'function', name: 'look', description: null, parameters: { type: 'object' }, strict: null }],
  messages: [
    {
      role: 'assistant',
      parts: [{ type: 'tool-call', id: 'call_0', name: 'look', arguments: '{}', custom: false, seal: null }],
    },
    {
      role: 'user',
      parts: [{ type: 'tool-result', callId: 'call_0', name: 'look', parts: [], isError: false, custom: false }],
    },
  ],
}
let made = 0
const context: WriteContext = {
  model: 'm',
  request,
  nowMs: 0,
  newId: (prefix) => `${prefix}own${++made}`,
  dropped: () => undefined,
}
const pairs = wireProtocols.flatMap((from) =>
  wireProtocols.filter((to) => to !== from).map((to) => [from, to] as const),
)

describe.each(pairs)('an answer of %s whose ids come again, for a client of %s', (from, to) => {
  const conversion = { from: conversionOf[from], to: conversionOf[to], restore: (emit: never) => emit, context }
  const whole = Buffer.from(JSON.stringify(answers[from]))
  const both = (): string[] => {
    const body = convertToBody(conversion).whole(whole)
    if (body.kind !== 'body') throw new Error(body.message)
    return [body.body.toString(), convertToStream(conversion).whole(whole).toString()]
  }

  it('has an id of its own', () => {
    const ids = [...both(), ...both()].map(
      (text) => /"(?:id|responseId)":"((?:chatcmpl-|msg_|resp_)own\d+)"/.exec(text)?.[1],
    )
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has calls that no other call is taken for', () => {
    for (const text of both()) {
      expect(text).not.toMatch(/"call_0"/)
      const calls = new Set([...text.matchAll(/"(call_own\d+)"/g)].map(([, id]) => id))
      expect(calls.size).toBe(2)
    }
  })
})
