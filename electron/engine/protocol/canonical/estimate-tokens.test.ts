import { describe, expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'
import type { Message } from './request.ts'
import { plainRequest } from '../testing/plain-request.ts'

const words = (text: string): number => text.split(/\s+/).filter((w) => w !== '').length
const of = (...messages: Message[]): number => estimateTokens({ ...plainRequest, messages }, words)
const text = (said: string) => ({ type: 'text' as const, text: said })

describe('an estimate of input tokens', () => {
  it('counts what is said, thought, called and answered', () => {
    expect(estimateTokens(plainRequest, words)).toBe(0)
    expect(of({ role: 'user', parts: [text('a b c')] })).toBe(7)
    expect(of({ role: 'assistant', parts: [{ type: 'thinking', text: 'a b', seal: null }, text('c')] })).toBe(7)
    expect(
      of({
        role: 'assistant',
        parts: [{ type: 'tool-call', id: '1', name: 'look', arguments: '{"a": 1}', custom: false, seal: null }],
      }),
    ).toBe(4 + 4 + 1 + 2)
    expect(
      of({
        role: 'user',
        parts: [{ type: 'tool-result', callId: '1', name: null, parts: [text('a b')], isError: false, custom: false }],
      }),
    ).toBe(10)
  })

  it('counts system texts and tools with their schemas', () => {
    const tools = [
      {
        type: 'function' as const,
        name: 'look',
        description: 'Looks at it',
        parameters: { type: 'object' },
        strict: null,
      },
    ]
    expect(estimateTokens({ ...plainRequest, system: [text('be brief')], tools }, words)).toBe(4 + 2 + 12 + 1 + 3 + 1)
  })

  it('takes an image for a picture, not for its base64', () => {
    const image = {
      type: 'image' as const,
      source: { kind: 'data' as const, mediaType: 'image/png', base64: 'A'.repeat(1_000_000) },
      detail: null,
    }
    expect(of({ role: 'user', parts: [image] })).toBeLessThan(3_000)
  })
})
