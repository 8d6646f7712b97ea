import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../values.ts'
import { validateGeminiBody, validateGeminiRequest, validateGeminiStream } from './validate-gemini.ts'

const chunk = (part: unknown, candidate: object = {}, rest: object = {}): JsonObject => ({
  candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...candidate }],
  modelVersion: 'm',
  responseId: 'r',
  ...rest,
})
const last = chunk(
  { text: '' },
  { finishReason: 'STOP' },
  { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 } },
)
const sse = (...chunks: unknown[]) => chunks.map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`).join('')

describe('the strict reader of Gemini streams', () => {
  it('takes what Google documents', () => {
    expect(
      validateGeminiStream(
        sse(
          chunk({ text: 'a', thought: true }),
          chunk({ functionCall: { name: 'f', args: {} }, thoughtSignature: 'YQ==' }),
          last,
        ),
      ),
    ).toEqual([])
    expect(
      validateGeminiStream(sse(chunk({ text: 'a' }), { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } })),
    ).toEqual([])
    expect(
      validateGeminiStream(sse({ promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'm', responseId: 'r' })),
    ).toEqual([])
    expect(validateGeminiBody(last)).toEqual([])
  })

  it.each<[string, string, string]>([
    ['nothing', '', 'no event at all'],
    ['no end', sse(chunk({ text: 'a' })), 'ends without a finish reason'],
    ['something behind the end', sse(last, chunk({ text: 'a' })), 'comes after the end'],
    ['[DONE]', `${sse(last)}data: [DONE]\n\n`, 'is no JSON'],
    ['an event name', `event: message\n${sse(last)}`, 'is not one data line'],
    ['a last event cut off', sse(last).trimEnd(), 'no blank line'],
    ['a chunk without parts', sse(chunk({ text: 'a' }, { content: { role: 'model' } }), last), 'parts is empty'],
    [
      'a chunk without content',
      sse({ candidates: [{ index: 0 }], modelVersion: 'm', responseId: 'r' }, last),
      'role is not model',
    ],
    [
      'another role',
      sse(chunk({ text: 'a' }, { content: { role: 'assistant', parts: [{ text: 'a' }] } }), last),
      'role is not model',
    ],
    ['an empty text', sse(chunk({ text: '' }), last), 'neither text nor a signature'],
    [
      'two kinds of data',
      sse(chunk({ text: 'a', functionCall: { name: 'f', args: {} } }), last),
      'has 2 kinds of data',
    ],
    ['arguments as a text', sse(chunk({ functionCall: { name: 'f', args: '{}' } }), last), 'args is no object'],
    [
      'a call twice',
      sse(
        chunk({ functionCall: { id: 'a', name: 'f', args: {} } }),
        chunk({ functionCall: { id: 'a', name: 'f', args: {} } }),
        last,
      ),
      'came before',
    ],
    [
      'a signature that is no base64',
      sse(chunk({ text: 'a', thought: true, thoughtSignature: 'onward.1.x' }), last),
      'not base64',
    ],
    ["another answer's chunk", sse({ ...chunk({ text: 'a' }), responseId: 'other' }, last), 'another responseId'],
    ['an unknown reason', sse(chunk({ text: '' }, { finishReason: 'stop' })), 'finishReason is unknown'],
    [
      'a wrong sum',
      sse({ ...last, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 4 } }),
      'not the sum',
    ],
    [
      'a number that is none',
      sse({ ...last, usageMetadata: { promptTokenCount: '1', totalTokenCount: 0 } }),
      'is no count',
    ],
    ['an error without a status', sse({ error: { message: 'x' } }), 'code is no HTTP status'],
    ['a member of another protocol', sse({ ...last, object: 'chat.completion.chunk' }), 'object is not documented'],
  ])('catches %s', (_, stream, problem) => {
    expect(validateGeminiStream(stream).join('\n')).toContain(problem)
  })

  it('catches a body without its end or counts', () => {
    expect(validateGeminiBody(chunk({ text: 'a' }))).toEqual(['body has no finish reason', 'body has no usageMetadata'])
  })
})

const user = { role: 'user', parts: [{ text: 'a' }] }
const call = { role: 'model', parts: [{ functionCall: { id: 'c', name: 'f', args: {} } }] }
const result = { functionResponse: { id: 'c', name: 'f', response: { output: 'x' } } }
const tools = [{ functionDeclarations: [{ name: 'f' }] }]

describe('the strict reader of Gemini requests', () => {
  it('takes what Google documents', () => {
    expect(
      validateGeminiRequest({
        contents: [user, call, { role: 'user', parts: [result] }],
        tools,
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      }),
    ).toEqual([])
  })

  it.each<[string, JsonObject, string]>([
    ['no contents', {}, 'contents are missing'],
    ['a member of another protocol', { contents: [user], messages: [] }, 'messages is not documented'],
    ['snake case', { contents: [user], generation_config: {} }, 'generation_config is not documented'],
    ['another role', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, 'neither user nor model'],
    ['a content without parts', { contents: [{ role: 'user', parts: [] }] }, 'parts are missing'],
    ['an empty text', { contents: [{ role: 'user', parts: [{ text: '' }] }] }, 'text is empty'],
    ['a result without a call', { contents: [user, { role: 'user', parts: [result] }] }, 'answers no call'],
    ['a call of the user', { contents: [{ role: 'user', parts: call.parts }] }, 'functionCall of the user'],
    [
      'a result as a text',
      { contents: [call, { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response: 'x' } }] }] },
      'response is no object',
    ],
    [
      'a fraction of a token',
      { contents: [user], generationConfig: { maxOutputTokens: 1.5 } },
      'maxOutputTokens is no count',
    ],
    [
      'a budget and a level',
      { contents: [user], generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } } },
      'both a budget and a level',
    ],
    [
      'a schema without JSON',
      { contents: [user], generationConfig: { responseJsonSchema: {} } },
      'without responseMimeType',
    ],
    ['an illegal name', { contents: [user], tools: [{ functionDeclarations: [{ name: 'a b' }] }] }, 'no function name'],
    [
      'two schemas of a function',
      {
        contents: [user],
        tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' }, parametersJsonSchema: {} }] }],
      },
      'two schemas',
    ],
    [
      'a choice without tools',
      { contents: [user], toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      'stands without functions',
    ],
    [
      'names with AUTO',
      { contents: [user], tools, toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['f'] } } },
      'stand with mode AUTO',
    ],
  ])('catches %s', (_, body, problem) => {
    expect(validateGeminiRequest(body).join('\n')).toContain(problem)
  })
})
