import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { codecOf, serverToolCodecOf } from '../index.ts'
import { splice } from '../json-bytes/index.ts'
import { pathOf } from './testing/requests.ts'

const read = (protocol: EntryProtocol, request: string) =>
  codecOf(protocol).read(Buffer.from(request), pathOf(protocol))
const asSent = (protocol: EntryProtocol, request: string): string | null =>
  serverToolCodecOf(protocol).toolsAsSent(read(protocol, request))?.toString() ?? null

const withTools = (protocol: EntryProtocol, request: string, tools: string): string =>
  splice(
    Buffer.from(request),
    serverToolCodecOf(protocol).withTools(read(protocol, request), Buffer.from(tools)),
  ).toString()

const list = '[ {"type":"function", "name":"f", "n":1.50} ]'
const gemini = '[{"functionDeclarations":[{"name":"f"} ]}]'
const bare: Readonly<Record<EntryProtocol, string>> = {
  chat: '{"model":"m","messages":[]',
  responses: '{"model":"m","input":[]',
  messages: '{"model":"m","messages":[]',
  gemini: '{"contents":[]',
}
const protocols = Object.keys(bare) as EntryProtocol[]

describe('the tools a client sends', () => {
  it.each<[EntryProtocol, string, string | null]>([
    ...protocols
      .filter((protocol) => protocol !== 'gemini')
      .flatMap((protocol): [EntryProtocol, string, string | null][] => [
        [protocol, `${bare[protocol]},"tools": ${list} }`, list],
        [protocol, `${bare[protocol]},"tools":[ ]}`, null],
        [protocol, `${bare[protocol]},"tools":null}`, null],
        [protocol, `${bare[protocol]}}`, null],
      ]),
    ['responses', `{"input":[{"type":"additional_tools","tools":${list}}]}`, list],
    ['responses', `{"tools":[],"input":[{"type":"additional_tools","tools":${list}}]}`, list],
    ['responses', '{"input":[{"type":"additional_tools","tools":[]}]}', null],
    ['gemini', `${bare.gemini},"tools": ${gemini}}`, gemini],
    ['gemini', `${bare.gemini},"tools":{"googleSearch":{}} }`, '{"googleSearch":{}}'],
    ['gemini', `{"generateContentRequest":{"contents":[],"tools":${gemini}}}`, gemini],
    ['gemini', `${bare.gemini},"tools":[{"functionDeclarations":[]}]}`, null],
    ['gemini', `${bare.gemini},"tools":[]}`, null],
    ['gemini', `${bare.gemini},"tools":null}`, null],
  ])('%s: %s', (protocol, request, expected) => expect(asSent(protocol, request)).toBe(expected))

  it("outlive the request's bytes", () => {
    const lens = read('chat', `${bare.chat},"tools":${list}}`)
    const tools = serverToolCodecOf('chat').toolsAsSent(lens)
    lens.body.fill(0)
    expect(tools?.toString()).toBe(list)
  })

  const choices: Readonly<Record<EntryProtocol, string>> = {
    chat: '"tool_choice":"auto"',
    responses: '"tool_choice":"auto"',
    messages: '"tool_choice":{"type":"auto"}',
    gemini: '"toolConfig":{}',
  }
  it.each(
    protocols.flatMap((protocol) => ['', ',"tools":[ ]', ',"tools":null'].map((none) => [protocol, none] as const)),
  )('%s: take the place of none: %j', (protocol, none) => {
    const tools = protocol === 'gemini' ? gemini : list
    const request = `${bare[protocol]} ${none}, ${choices[protocol]} }`
    const now = withTools(protocol, request, tools)
    expect(now).toBe(
      none === '' ? request.replace('{', `{"tools":${tools},`) : request.replace(none, `,"tools":${tools}`),
    )
    expect(asSent(protocol, now)).toBe(tools)
  })

  it('go into the request that is to be counted, not beside it', () => {
    const request = '{"generateContentRequest":{"contents":[]}}'
    const now = withTools('gemini', request, gemini)
    expect(now).toBe(`{"generateContentRequest":{"tools":${gemini},"contents":[]}}`)
  })
})
