import { describe, expect, it } from 'vitest'
import { withoutForeignSeals } from './foreign-seals.ts'
import type { WireProtocol } from '../request.ts'
import { sealForClient } from './seal.ts'

const foreign = (client: WireProtocol) =>
  sealForClient({ of: client === 'messages' ? 'responses' : 'messages', data: 'sig' }, client)
const encoded = Buffer.from(foreign('gemini')).toString('base64')
const cleaned = (protocol: WireProtocol, body: object): unknown =>
  JSON.parse(withoutForeignSeals(protocol, Buffer.from(JSON.stringify(body))).toString())
const user = { role: 'user', content: 'hi' }

describe('seals of another vendor on the way to the client’s own', () => {
  it('take citations along that were made for another vendor’s sources; the text stays', () => {
    const web = { type: 'web_search_result_location', cited_text: '', url: 'https://a.example', title: 'A' }
    const ours = { ...web, encrypted_index: foreign('messages') }
    const own = { ...web, encrypted_index: 'Eo8BCio' }
    const sent = (...citations: object[]) => ({
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'Rain.', citations }] }, user],
    })
    expect(cleaned('messages', sent(ours, own, ours))).toEqual(sent(own))
    expect(cleaned('messages', sent(ours))).toEqual({
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'Rain.' }] }, user],
    })
    expect(cleaned('messages', sent(own))).toEqual(sent(own))
  })

  it('go, and what stands beside them stays', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: foreign('messages') }
    const own = { type: 'thinking', thinking: 'Mine.', signature: 'EqQB' }
    const said = { type: 'text', text: 'Yes.' }
    expect(
      cleaned('messages', {
        model: 'm',
        messages: [
          user,
          { role: 'assistant', content: [thinking, own, said] },
          { role: 'assistant', content: [thinking] },
          user,
        ],
      }),
    ).toEqual({ model: 'm', messages: [user, { role: 'assistant', content: [own, said] }, user] })
    expect(
      cleaned('responses', {
        input: [
          user,
          { type: 'reasoning', id: 'rs', summary: [], encrypted_content: foreign('responses') },
          { type: 'reasoning', id: 'rs2', summary: [], encrypted_content: 'gAAA' },
        ],
      }),
    ).toEqual({ input: [user, { type: 'reasoning', id: 'rs2', summary: [], encrypted_content: 'gAAA' }] })
    expect(
      cleaned('chat', {
        messages: [
          user,
          {
            role: 'assistant',
            content: 'Yes.',
            reasoning_details: [{ type: 'reasoning.encrypted', data: foreign('chat') }],
          },
        ],
      }),
    ).toEqual({ messages: [user, { role: 'assistant', content: 'Yes.' }] })
    expect(
      cleaned('gemini', {
        contents: [
          {
            role: 'model',
            parts: [
              { thought: true, text: 'Hm.', thoughtSignature: encoded },
              { functionCall: { name: 'look' }, thoughtSignature: encoded },
            ],
          },
        ],
      }),
    ).toEqual({ contents: [{ role: 'model', parts: [{ functionCall: { name: 'look' } }] }] })
  })

  it.each(['messages', 'responses', 'chat', 'gemini'] as const)(
    'without any, the bytes stay as they came (%s)',
    (protocol) => {
      for (const text of [
        '{ "messages" : [] , "n": 1.0 }',
        `{"messages":[{"role":"user","content":"what is onward.1. or ${encoded}?"}],"input":"onward.1.","n":1.0}`,
        '[1]',
      ]) {
        const body = Buffer.from(text)
        expect(withoutForeignSeals(protocol, body)).toBe(body)
      }
    },
  )
})
