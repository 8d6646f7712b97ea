import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../shared/config/schema.ts'
import { stripUserText } from '../markers/index.ts'
import { chatCodec } from '../protocol/chat/codec.ts'
import { codecOf, userTextEdits, serverToolCodecOf } from '../protocol/index.ts'
import type { RouteChoice } from '../router/types.ts'
import { bytesFor, draftOf, furtherRound, piecesFor, rewritten, type RequestDraft, saidLast } from './turn.ts'

const { providers } = configSchema.parse({
  providers: {
    p: {
      type: 'openai-chat',
      baseUrl: 'http://127.0.0.1:1',
      auth: 'none',
      models: { any: {}, 'no-tools': { tools: false }, blind: { vision: false }, timeless: { timeTag: false } },
    },
  },
})
function choiceOf(upstreamModel: string): RouteChoice {
  const { p: provider } = providers
  if (!provider) throw new Error('it stands in the config')
  const fact = { provider: 'p', model: upstreamModel, keyAlias: null, category: null, why: [], skipped: [] }
  return { providerId: 'p', provider, type: 'openai-chat', upstreamModel, key: null, credential: null, fact }
}

const said = '{"role":"user","content":"Hi <**clear**>"}'
const body = Buffer.from(`{ "model":"m", "messages":[${said} ] }`)
const plain = draftOf(codecOf('chat'), body)
const tools = [{ start: 1, end: 1, replacement: '"tools":[],' }]
const image = body.indexOf('"Hi')
const full: RequestDraft = {
  ...plain,
  tools,
  images: [{ start: image, end: image, replacement: '' }],
  edits: userTextEdits(plain.lens, stripUserText),
  reminder: Buffer.from('{"role":"user","content":"due"}'),
  time: 'now',
}
const sent = (draft: RequestDraft, model: string) => Buffer.concat(piecesFor(draft, choiceOf(model))).toString()
const stripped = said.replace('<**clear**>', '')
const due = ',{"role":"user","content":"due"}'
const now = ',{"role":"user","content":"now"}'

describe('a request on its way up', () => {
  it('stays as it came where nothing changes', () => {
    expect(bytesFor(plain, null)).toBe(body)
    expect(piecesFor(plain, choiceOf('m'))).toEqual([body])
    expect(furtherRound(plain, choiceOf('m')).lens).toBe(plain.lens)
    expect(rewritten(plain, [])).toBe(plain)
  })
  it.each([
    ['any', `{"tools":[], "model":"any", "messages":[${stripped}${due}${now} ] }`],
    ['no-tools', `{ "model":"no-tools", "messages":[${stripped}${due}${now} ] }`],
    ['timeless', `{"tools":[], "model":"timeless", "messages":[${stripped}${due} ] }`],
  ])('has for the model %s what it takes, in order', (model, expected) => expect(sent(full, model)).toBe(expected))
  it('has descriptions of images for a model that can’t see, and where Onward counts', () => {
    const images = [{ start: 1, end: 1, replacement: '"seen":1,' }]
    const shown = (model: string) => sent({ ...full, images }, model).includes('"seen":1')
    expect([shown('any'), shown('blind')]).toEqual([false, true])
    expect(bytesFor({ ...full, images }, null).toString()).toContain('"seen":1')
  })
  it('keeps its reminder in a further round, and not the time', () => {
    const { lens, ...rest } = furtherRound(full, choiceOf('any'))
    expect(lens.body.toString()).toBe(`{"tools":[], "model":"m", "messages":[${stripped}${due} ] }`)
    expect(rest).toMatchObject({ edits: [], tools: [], images: [], reminder: null, time: null })
  })
  it('is rewritten with what was to change before, so that later stages read both', () => {
    const again = rewritten({ ...full, tools: [], images: [] }, [{ start: 1, end: 1, replacement: '"n":1,' }])
    expect(again.lens.body.toString()).toBe(`{"n":1, "model":"m", "messages":[${stripped} ] }`)
    expect(again.lens.value('n')).toBe(1)
    expect(sent(again, 'any')).toBe(`{"n":1, "model":"any", "messages":[${stripped}${due}${now} ] }`)
    expect(() => rewritten(full, tools)).toThrow(RangeError)
  })
  it('is read as its client writes it, also when it was rewritten', () => {
    const reminder = '{"role":"user","content":"<system-reminder>date</system-reminder>"}'
    const reminded = Buffer.from(
      `{"messages":[${said},{"role":"assistant","content":""},{"role":"tool","content":"r"},${reminder}]}`,
    )
    const first = draftOf(codecOf('chat'), reminded, undefined, 'kimi')
    expect(first.lens.lastMessage()?.role).toBe('tool')
    expect(rewritten(first, [{ start: 1, end: 1, replacement: '"n":1,' }]).lens.lastMessage()?.role).toBe('tool')
  })
})

/** Forms in which a marker's text is the whole list, so that edits of both meet at its borders. */
describe('a marker in a text without a list around it', () => {
  const forms = [
    ['responses', '{"model":"m","input":"Hi <**clear**>"}'],
    ['responses', '{"model":"m","input":[{"role":"user","content":"Hi <**clear**>"}]}'],
    ['gemini', '{"contents":{"role":"user","parts":{"text":"Hi <**clear**>"}}}'],
    ['gemini', '{"contents":[{"role":"user","parts":{"text":"Hi <**clear**>"}}]}'],
    ['messages', '{"model":"m","messages":[{"role":"user","content":"Hi <**clear**>"}]}'],
  ] as const
  it.each(forms)('goes, and what comes behind it stays: %s %s', (protocol, text) => {
    const path = protocol === 'gemini' ? '/v1beta/models/m:generateContent' : undefined
    const draft = draftOf(codecOf(protocol), Buffer.from(text), path)
    const edits = userTextEdits(draft.lens, stripUserText)
    expect(edits).toHaveLength(1)
    const codec = serverToolCodecOf(protocol)
    const behind = codec.appendAfterLast(draft.lens, [codec.userItem('due')])
    const both = rewritten({ ...draft, edits }, behind).lens.body.toString()
    // in one step, and one after the other
    const first = rewritten(draft, edits)
    const then = codec.appendAfterLast(first.lens, [codec.userItem('due')])
    expect(both).toBe(rewritten(first, then).lens.body.toString())
    expect(() => JSON.parse(both)).not.toThrow()
    expect(both).toContain('Hi ')
    expect(both).toContain('due')
    expect(both).not.toContain('clear')
  })
})

describe('said last', () => {
  const body = Buffer.from(
    JSON.stringify({
      model: 'm',
      messages: [
        { role: 'user', content: 'write it <**sm:on**>' },
        { role: 'user', content: "<system-reminder>\nToday's date is 2026-11-23.\n</system-reminder>" },
      ],
    }),
  )

  it('takes what a person said to Kimi Code for the last message, not the reminder behind it', () => {
    const lens = saidLast(chatCodec.read(body), 'kimi')
    expect(lens.lastMessage()).toEqual({ role: 'user', index: 0, texts: ['write it <**sm:on**>'] })
    expect(lens.asked()).toHaveLength(2)
  })

  it('changes nothing for clients that put none there', () => {
    const lens = chatCodec.read(body)
    expect(saidLast(lens, 'qwen')).toBe(lens)
    expect(saidLast(lens, null)).toBe(lens)
  })
})
