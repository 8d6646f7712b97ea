import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../values.ts'
import { validateGeminiRequest } from '../../testing/validate-gemini.ts'
import { geminiConversion } from './index.ts'

const schema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
}

/** Every member that has a place, in the form in which it is written. */
const rich: JsonObject = {
  systemInstruction: { parts: [{ text: 'You are brief.' }, { text: 'And kind.' }] },
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'Look.' },
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0K' } },
        { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=', displayName: 'a.pdf' } },
        { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.org/a.jpg' } },
        { fileData: { mimeType: 'video/mp4', fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'I should read it.', thought: true, thoughtSignature: 'dGhvdWdodA==' },
        { text: 'Reading.', thoughtSignature: 'dGV4dA==' },
        { functionCall: { id: 'fc-1', name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'Y2FsbA==' },
        { functionCall: { id: 'fc-2', name: 'read_file', args: { path: 'b' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'fc-1',
            name: 'read_file',
            response: { output: 'text' },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0K' } }],
          },
        },
        { functionResponse: { id: 'fc-2', name: 'read_file', response: { error: 'no such file' } } },
        { text: 'And?' },
      ],
    },
  ],
  tools: [
    {
      functionDeclarations: [
        { name: 'read_file', description: 'Reads.', parametersJsonSchema: schema },
        { name: 'now' },
      ],
    },
    { googleSearch: {} },
  ],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read_file', 'now'] } },
  generationConfig: {
    maxOutputTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    frequencyPenalty: 0.1,
    presencePenalty: 0.2,
    seed: 7,
    stopSequences: ['END'],
    responseLogprobs: true,
    logprobs: 3,
    responseMimeType: 'application/json',
    responseJsonSchema: schema,
    thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true },
  },
  labels: { team: 'a' },
  serviceTier: 'flex',
}

describe('a request that is read and written again', () => {
  it('keeps every documented member', () => {
    expect(validateGeminiRequest(rich)).toEqual([])
    const path = '/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse'
    const read = geminiConversion.readRequest(rich, { path })
    const written = geminiConversion.writeRequest(read, { model: read.model, maxOutput: null })
    expect(read.unread).toEqual([])
    // Only Vertex AI has these two, and the Gemini API refuses them.
    const { labels, ...plain } = JSON.parse(JSON.stringify(rich).replace(',"displayName":"a.pdf"', '')) as JsonObject
    expect(labels).toBeDefined()
    expect(written).toEqual({ path, body: plain, dropped: ['filename', 'metadata'] })
  })

  it('keeps budgets where models have them', () => {
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 1000, includeThoughts: false } },
    }
    const read = geminiConversion.readRequest(body, { path: '/v1beta/models/gemini-2.5-flash:generateContent' })
    expect(geminiConversion.writeRequest(read, { model: 'gemini-2.5-flash', maxOutput: null }).body).toEqual(body)
  })
})
