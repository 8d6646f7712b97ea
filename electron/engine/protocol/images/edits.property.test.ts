import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { imageEdits, imagesOf } from './images.ts'
import { codecOf } from '../index.ts'
import { splice } from '../json-bytes/index.ts'
import { runs } from '../../../../shared/testing/runs.ts'

/** A part, apart from the protocol. */
type Thing = { text: string } | { image: string } | { result: Thing[] }

const texts = fc.string({
  unit: fc.constantFrom('a', '"', '\\', 'image', ' ', '\n', '中', '{', ',', 'input_image', 'image_url'),
  maxLength: 8,
})
const images = fc.base64String({ minLength: 4, maxLength: 200 })
const simple: fc.Arbitrary<Thing> = fc.oneof(
  texts.map((text) => ({ text })),
  images.map((image) => ({ image })),
)
const things = (inside: boolean): fc.Arbitrary<Thing[]> =>
  fc.array(
    inside
      ? fc.oneof(
          { weight: 3, arbitrary: simple },
          fc.array(simple, { maxLength: 4 }).map((result) => ({ result })),
        )
      : simple,
    { maxLength: 5 },
  )

interface Form {
  /** true if results are among the parts of a message */
  nested: boolean
  body(messages: readonly (readonly Thing[])[]): unknown
}

const forms: Readonly<Record<EntryProtocol, Form>> = {
  chat: {
    nested: false,
    body: (messages) => ({
      model: 'm',
      messages: messages.map((m, i) => ({ role: i % 3 === 2 ? 'tool' : 'user', content: m.map(chatPart) })),
      tools: [{ type: 'image_url' }],
    }),
  },
  responses: {
    nested: false,
    body: (messages) => ({
      model: 'm',
      input: messages.map((m, i) =>
        i % 2 === 0
          ? { role: 'user', content: m.map(responsesPart) }
          : { type: 'function_call_output', call_id: 'c', output: m.map(responsesPart) },
      ),
    }),
  },
  messages: {
    nested: true,
    body: (messages) => ({
      model: 'm',
      messages: messages.map((m) => ({ role: 'user', content: m.map(messagesPart) })),
      metadata: { type: 'image' },
    }),
  },
  gemini: {
    nested: true,
    body: (messages) => ({ contents: messages.map((m) => ({ role: 'user', parts: m.flatMap(geminiPart) })) }),
  },
}

function chatPart(thing: Thing): unknown {
  return 'image' in thing
    ? { type: 'image_url', image_url: { url: `data:image/png;base64,${thing.image}` } }
    : { type: 'text', text: 'text' in thing ? thing.text : '' }
}
function responsesPart(thing: Thing): unknown {
  return 'image' in thing
    ? { type: 'input_image', image_url: `data:image/png;base64,${thing.image}` }
    : { type: 'input_text', text: 'text' in thing ? thing.text : '' }
}
function messagesPart(thing: Thing): unknown {
  if ('image' in thing) return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: thing.image } }
  return 'text' in thing
    ? { type: 'text', text: thing.text }
    : { type: 'tool_result', tool_use_id: 't', content: thing.result.map(messagesPart) }
}
/** Images of a result that have become texts come after the result. */
function geminiPart(thing: Thing): unknown[] {
  if ('image' in thing) return [{ inlineData: { mimeType: 'image/png', data: thing.image } }]
  if ('text' in thing) return [{ text: thing.text }]
  const [stay, behind] = [
    thing.result.filter((inner) => 'image' in inner),
    thing.result.filter((inner) => 'text' in inner),
  ]
  return [
    { functionResponse: { name: 'f', response: {}, parts: stay.flatMap(geminiPart) } },
    ...behind.flatMap(geminiPart),
  ]
}

/** Replaces the images for which `said` has a text. */
const described = (all: readonly Thing[], said: (image: string) => string | null): Thing[] =>
  all.map((thing) => {
    if ('result' in thing) return { result: described(thing.result, said) }
    const text = 'image' in thing ? said(thing.image) : null
    return text === null ? thing : { text }
  })

describe.each(Object.entries(forms) as [EntryProtocol, Form][])(
  'texts in the places of images, in %s',
  (protocol, { nested, body }) => {
    const conversation = fc.array(things(nested), { maxLength: 5 })
    // Gemini results can't hold texts in their parts.
    const given =
      protocol === 'gemini'
        ? conversation.map((all) =>
            all.map((m) =>
              m.map((thing) =>
                'result' in thing ? { result: thing.result.filter((inner) => 'image' in inner) } : thing,
              ),
            ),
          )
        : conversation

    it('leave everything else as it was', () => {
      fc.assert(
        fc.property(given, fc.func(fc.option(texts)), fc.constantFrom(undefined, 1, 3), (all, says, indent) => {
          const lens = codecOf(protocol).read(Buffer.from(JSON.stringify(body(all), null, indent)))
          const found = imagesOf(lens)
          const edits = imageEdits(
            lens,
            (image) => {
              const source = image.source()
              return source?.kind === 'data' ? says(source.base64) : null
            },
            found,
          )
          const edited = splice(lens.body, edits)
          expect(JSON.parse(edited.toString())).toEqual(body(all.map((m) => described(m, says))))

          // Only bytes of items with images are touched.
          for (const edit of edits)
            expect(found.some(({ item }) => edit.start >= item.start && edit.end <= item.end)).toBe(true)
          expect(edits.length === 0).toBe(edited === lens.body)
          // The remaining images are found again, and the same texts give the same bytes.
          const left = imagesOf(codecOf(protocol).read(edited))
          expect(left.map((image) => image.hash()).toSorted()).toEqual(
            found
              .filter((image) => {
                const source = image.source()
                return source?.kind === 'data' && says(source.base64) === null
              })
              .map((image) => image.hash())
              .toSorted(),
          )
        }),
        runs(60),
      )
    })
  },
)
