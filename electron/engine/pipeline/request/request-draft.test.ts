import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../shared/config/schema.ts'
import { stripUserText } from '../../markers/index.ts'
import { codecOf, userTextEdits } from '../../protocol/index.ts'
import type { RouteChoice } from '../../router/types.ts'
import { bytesFor, draftOf, furtherRound, piecesFor, rewritten, type RequestDraft } from './request-draft.ts'

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
    const reminded = Buffer.from(
      `{"messages":[${said},{"role":"assistant","content":""},{"role":"tool","content":"r"},{"role":"user","content":"<system-reminder>date</system-reminder>"}]}`,
    )
    const first = draftOf(codecOf('chat'), reminded, undefined, 'kimi')
    expect(first.lens.lastMessage()?.role).toBe('tool')
    expect(rewritten(first, [{ start: 1, end: 1, replacement: '"n":1,' }]).lens.lastMessage()?.role).toBe('tool')
  })
})
