import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { codecOf, serverToolCodecOf } from '../index.ts'
import { splice } from '../json-bytes/index.ts'
import { withoutBlanks } from './types.ts'
import { refusedOf } from '../testing/refused-of.ts'
import type { RequestLens } from '../types.ts'
import { asList, parseObject, type JsonObject } from '../values.ts'
import { conversation, exchanges, indents, lines, listOf, pathOf, protocols, requestOf } from './testing/requests.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const read = (protocol: EntryProtocol, body: Buffer): RequestLens => codecOf(protocol).read(body, pathOf(protocol))
const itemsOf = ({ body, items }: RequestLens): string[] =>
  items().map(({ start, end }) => body.toString('utf8', start, end))
const listIn = (protocol: EntryProtocol, body: Buffer): readonly unknown[] =>
  asList(parseObject(body)?.[listOf[protocol]])

/** The bytes without these inserts. */
function withoutInserts(sent: Buffer, edits: readonly { start: number; replacement: Buffer | string }[]): Buffer {
  let rest = sent
  for (const { start, replacement } of edits)
    rest = Buffer.concat([rest.subarray(0, start), rest.subarray(start + Buffer.byteLength(replacement))])
  return rest
}
const asBlocks = (message: unknown): JsonObject => {
  const { content, ...rest } = message as JsonObject
  return { ...rest, content: [{ type: 'text', text: content }] }
}

describe.each(protocols)('what stands behind a request of %s', (protocol) => {
  const serverTools = serverToolCodecOf(protocol)

  it('stands at the same place, byte for byte, when it is put back in front of the answer', () => {
    fc.assert(
      fc.property(
        exchanges,
        fc.array(lines, { minLength: 1, maxLength: 2 }),
        lines,
        indents,
        (all, reminders, next, indent) => {
          const { list, answer } = conversation(protocol, all)
          const before = reminders.map((text) => serverTools.userItem(text))
          const first = read(protocol, requestOf(protocol, list, indent))
          const sent = read(protocol, splice(first.body, serverTools.appendAfterLast(first, before)))
          expect(sent.lastMessage()).toMatchObject({ role: 'user', texts: [reminders.at(-1)] })
          expect(serverTools.turns(sent)).toEqual(serverTools.turns(first))

          const {
            list: [asked],
          } = conversation(protocol, [{ asks: next, bare: false, calls: 0, answers: 'x' }])
          const second = read(protocol, requestOf(protocol, [...list, answer, asked ?? {}], indent))
          const said = withoutBlanks(all.at(-1)?.answers ?? '')
          const turn = serverTools
            .turns(second)
            .find((one) => one.first === list.length && one.text === said && one.calls.length === 0)
          if (!turn) throw new Error('the answer was not found again')
          const restored = read(
            protocol,
            splice(
              second.body,
              serverTools.restore(second, turn, { before: before.map(String), filler: false, calls: [], results: [] }),
            ),
          )
          expect(itemsOf(restored).slice(0, sent.messageCount())).toEqual(itemsOf(sent))
          expect(itemsOf(restored)).toEqual([
            ...itemsOf(second).slice(0, list.length),
            ...before.map(String),
            ...itemsOf(second).slice(list.length),
          ])
          for (const lens of [sent, restored]) expect(refusedOf[protocol](parseObject(lens.body))).toEqual([])
        },
      ),
      runs(150),
    )
  })

  it("is nothing but inserts: without the time tag the client's bytes are left, its words in front", () => {
    fc.assert(
      fc.property(exchanges, lines, indents, (all, line, indent) => {
        const { list } = conversation(protocol, all)
        const lens = read(protocol, requestOf(protocol, list, indent))
        const edits = serverTools.appendTimeTag(lens, line)
        expect(edits.every(({ start, end }) => start === end)).toBe(true)
        const sent = splice(lens.body, edits)
        // A plain string of Anthropic's protocol is put into a list first.
        expect(edits.length).toBeLessThanOrEqual(protocol === 'messages' ? 2 : 1)
        expect(withoutInserts(sent, edits).equals(lens.body)).toBe(true)
        expect(lens.body.subarray(edits.at(-1)?.start).toString()).not.toMatch(/cache_control|"text"|"content"/)
        expect(read(protocol, sent).lastMessage()?.texts.at(-1)).toBe(line)

        const [now, earlier] = [listIn(protocol, sent), listIn(protocol, lens.body)]
        if (now.length > earlier.length) expect(now.slice(0, -1)).toEqual(earlier)
        else
          expect([...now.slice(0, -1), withoutLast(now.at(-1))]).toEqual(
            edits.length === 1 ? earlier : [...earlier.slice(0, -1), asBlocks(earlier.at(-1))],
          )
      }),
      runs(150),
    )
  })

  it('is spliced together with edits of the same bytes', () => {
    fc.assert(
      fc.property(exchanges, lines, lines, (all, line, word) => {
        const { list } = conversation(protocol, all)
        const lens = read(protocol, requestOf(protocol, list))
        const stripped = lens.userTexts().map(({ start, end }) => ({ start, end, replacement: JSON.stringify(word) }))
        const tools = serverTools.declare(lens, [
          { name: 'clock', description: 'Time', parameters: { type: 'object' }, strict: true },
        ])
        const together = splice(lens.body, [
          ...stripped,
          ...tools,
          ...serverTools.appendAfterLast(lens, [serverTools.userItem(line)]),
        ])
        const edited = read(protocol, splice(lens.body, [...stripped, ...tools]))
        expect(
          together.equals(splice(edited.body, serverTools.appendAfterLast(edited, [serverTools.userItem(line)]))),
        ).toBe(true)
        const tagged = splice(lens.body, [...serverTools.appendTimeTag(lens, line), ...stripped, ...tools])
        expect(tagged.equals(splice(edited.body, serverTools.appendTimeTag(edited, line)))).toBe(true)
      }),
      runs(100),
    )
  })
})

/** A message without its last block. */
function withoutLast(message: unknown): unknown {
  return Object.fromEntries(
    Object.entries(message as JsonObject).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, -1) : value,
    ]),
  )
}
