import { describe, expect, it } from 'vitest'
import { checkChat } from '../../../../e2e/support/mock-upstream/check-chat.ts'
import { checkGemini } from '../../../../e2e/support/mock-upstream/check-gemini.ts'
import { checkMessages } from '../../../../e2e/support/mock-upstream/check-messages.ts'
import { checkResponses } from '../../../../e2e/support/mock-upstream/check-responses.ts'
import type { WireProtocol } from '../canonical/request.ts'
import { readCanonical, writeCanonical } from '../canonical/index.ts'
import { conversionOf } from '../conversions.ts'
import { imageEdits, imagesOf } from './images.ts'
import { codecOf } from '../index.ts'
import { splice } from '../json-bytes/index.ts'
import { base64, places, type Place } from './testing/conversations.ts'

const checks = { chat: checkChat, responses: checkResponses, messages: checkMessages, gemini: checkGemini }
const lensOf = ({ protocol }: Pick<Place, 'protocol'>, text: string) => codecOf(protocol).read(Buffer.from(text))
const seen = 'what “it” shows:\n\ta \ud800 cat'
const written = JSON.stringify(seen)

describe('images of a conversation', () => {
  it.each(places.map((place) => [place.protocol, place.name, place] as const))('%s: in %s', (_, __, place) => {
    const request = place.request(place.image)
    const lens = lensOf(place, request)
    const [image, ...more] = imagesOf(lens)
    expect(more).toEqual([])
    expect(image?.asked).toBe(place.asked)
    expect(image?.source()).toEqual(place.source)
    expect(place.image).toContain(lens.body.toString('utf8', image?.start, image?.end))

    const edited = splice(
      lens.body,
      imageEdits(lens, () => seen),
    ).toString('utf8')
    expect(edited).toBe(place.request(place.after(written)))
    expect(checks[place.protocol](JSON.parse(edited))).toEqual([])
    expect(imagesOf(lensOf(place, edited)).filter((left) => left.source() !== null)).toEqual([])
  })

  it.each(places.map((place) => [place.protocol, place.name, place] as const))(
    '%s: the text in the place of the one in %s comes through in other protocols',
    (_, __, place) => {
      const lens = lensOf(place, place.request(place.image))
      const body = JSON.parse(
        splice(
          lens.body,
          imageEdits(lens, () => 'what it shows'),
        ).toString(),
      )
      const path = '/v1beta/models/m:generateContent'
      for (const other of ['chat', 'responses', 'messages', 'gemini'] as const satisfies readonly WireProtocol[]) {
        if (other === place.protocol) continue
        const written = writeCanonical(readCanonical(conversionOf[place.protocol], body, path), conversionOf[other], {
          model: 'm',
          maxOutput: 100,
        }).body.toString()
        expect(written).toContain('what it shows')
        expect(written).not.toContain(base64)
        expect(checks[other](JSON.parse(written))).toEqual([])
      }
    },
  )

  it.each(places.map((place) => [place.protocol, place.name, place] as const))(
    '%s: in %s stay where no text is given',
    (_, __, place) => {
      expect(imageEdits(lensOf(place, place.request(place.image)), () => null)).toEqual([])
    },
  )

  it('have one hash in every protocol, and however they are written', () => {
    const hashes = places
      .filter(({ source }) => JSON.stringify(source)?.includes(base64))
      .map((place) => imagesOf(lensOf(place, place.request(place.image)))[0]?.hash())
    expect(hashes.length).toBeGreaterThan(10)
    expect(new Set(hashes).size).toBe(1)
  })
  it('have another hash where they are other images', () => {
    const lens = lensOf(
      { protocol: 'messages' },
      JSON.stringify({
        messages: [
          {
            role: 'user',
            content: ['AAAA', 'AAAB', 'AAAA'].map((one) => ({
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: one },
            })),
          },
        ],
      }),
    )
    const [a, b, again] = imagesOf(lens).map((image) => image.hash())
    expect(a).not.toBe(b)
    expect(again).toBe(a)
  })
  it('are found beside each other in a result, and only those with a text go', () => {
    const part = (name: string) => ({ inlineData: { mimeType: 'image/png', data: name } })
    const result = {
      role: 'user',
      parts: [
        { functionResponse: { name: 'f', response: {}, parts: [part('AAAA'), part('BBBB'), part('CCCC')] } },
        { functionResponse: { name: 'g', response: {} } },
      ],
    }
    const lens = lensOf({ protocol: 'gemini' }, JSON.stringify({ contents: [result] }))
    const [, second] = imagesOf(lens)
    const edited: unknown = JSON.parse(
      splice(
        lens.body,
        imageEdits(lens, (image) => (image.start === second?.start ? null : image.hash().slice(0, 4))),
      ).toString(),
    )
    const [first, , third] = imagesOf(lens).map((image) => ({ text: image.hash().slice(0, 4) }))
    expect(edited).toEqual({
      contents: [
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'f', response: {}, parts: [part('BBBB')] } },
            first,
            third,
            { functionResponse: { name: 'g', response: {} } },
          ],
        },
      ],
    })
  })
  it('are found where a list of one has no brackets', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const lens = lensOf(
      { protocol: 'gemini' },
      JSON.stringify({ contents: { parts: { functionResponse: { name: 'f', response: {}, parts: image } } } }),
    )
    const edited: unknown = JSON.parse(
      splice(
        lens.body,
        imageEdits(lens, () => 'x'),
      ).toString(),
    )
    expect(edited).toEqual({
      contents: { parts: [{ functionResponse: { name: 'f', response: {}, parts: [] } }, { text: 'x' }] },
    })
  })
  it('are found in what countTokens wraps', () => {
    const lens = lensOf(
      { protocol: 'gemini' },
      JSON.stringify({
        generateContentRequest: { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }] },
      }),
    )
    expect(imagesOf(lens)).toHaveLength(1)
  })
  it.each([
    [
      'chat',
      {
        messages: [
          { role: 'user', content: '{"type":"image_url"}' },
          { role: 'user', content: [{ type: 'text', text: 'a "type": "image_url" here' }] },
        ],
      },
    ],
    ['responses', { input: 'input_image' }],
    ['responses', { input: [{ type: 'function_call_output', call_id: 'c', output: 'computer_screenshot' }] }],
    [
      'messages',
      {
        messages: [{ role: 'user', content: [{ type: 'text', text: '"image"' }] }],
        tools: [{ name: 'image', input_schema: { type: 'image' } }],
      },
    ],
    [
      'messages',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } }],
          },
        ],
      },
    ],
    ['gemini', { contents: [{ parts: [{ inlineData: { mimeType: 'application/pdf', data: 'image' } }] }] }],
  ] as const)('are not seen in %s where there are none: %j', (protocol, body) => {
    expect(imagesOf(lensOf({ protocol }, JSON.stringify(body)))).toEqual([])
  })
  it('are none in a body that turns out broken', () => {
    const lens = lensOf(
      { protocol: 'chat' },
      String.raw`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":"data:image/png;base64,aaaaaaaaaaaaaaaaaaaaaaaaaaaa\q"}]}]}`,
    )
    expect(imagesOf(lens)).toEqual([])
  })
})
