import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { stripUserText } from '../markers/index.ts'
import { chatDialect } from './chat/codec.ts'
import { modelEdits, userTextEdits, mayHoldMarker } from './index.ts'
import { splice } from './json-bytes/index.ts'
import { readRequest } from './lens/lens.ts'
import { messagesDialect } from './messages/codec.ts'
import { responsesDialect } from './responses/request-lens.ts'
import type { RequestLens } from './types.ts'

const editUserTexts = (...how: Parameters<typeof userTextEdits>) => splice(how[0].body, userTextEdits(...how))
const editModel = (lens: RequestLens, model: string) => splice(lens.body, modelEdits(lens, model))

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('<**sm:3**>', '<**clear**>', '<**', '`<**a**>`', 'text', '\n', '\\', '"', '中', '\ud800', '<'),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))
const space = fc.constantFrom(undefined, 1, '\t')

describe('editing user texts', () => {
  const chat = String.raw`{ "messages" : [ {"role":"system","content":"<**s**>"},
    {"role":"user","content":[{"type":"text","text":"\u003c**sm:3**\u003e do \ud800 it","x":1.50}]},
    {"role":"assistant","content":"<**a**>"},
    {"role":"user","content":"second <**clear**>"} ], "n": 1.0e2, "unknown": {"a": null} }`

  it('replaces only the texts that change, byte for byte', () => {
    const lens = readRequest(Buffer.from(chat), chatDialect)
    expect(editUserTexts(lens, stripUserText).toString()).toBe(
      chat
        .replace(String.raw`"\u003c**sm:3**\u003e do \ud800 it"`, String.raw`" do \ud800 it"`)
        .replace('"second <**clear**>"', '"second "'),
    )
  })
  it('gives the same Buffer when nothing changes', () => {
    const lens = readRequest(Buffer.from(chat), chatDialect)
    expect(editUserTexts(lens, (text) => text)).toBe(lens.body)
  })

  it('leaves everything else as it was, in every protocol', () => {
    const part = (type: string, text: string) => ({ type, text })
    const cases = [
      {
        dialect: chatDialect,
        list: 'messages',
        user: (t: string[]) => ({ role: 'user', content: t.map((x) => part('text', x)) }),
        other: (t: string) => ({ role: 'assistant', content: t }),
      },
      {
        dialect: responsesDialect,
        list: 'input',
        user: (t: string[]) => ({ role: 'user', content: t.map((x) => part('input_text', x)) }),
        other: (t: string) => ({ type: 'function_call_output', output: t }),
      },
      {
        dialect: messagesDialect,
        list: 'messages',
        user: (t: string[]) => ({
          role: 'user',
          content: [{ type: 'tool_result', content: 'x <**r**>' }, ...t.map((x) => part('text', x))],
        }),
        other: (t: string) => ({ role: 'assistant', content: [part('text', t)] }),
      },
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(fc.tuple(fc.array(texts, { maxLength: 3 }), texts), { maxLength: 4 }),
        space,
        (c, turns, indent) => {
          const build = (change: (text: string) => string) =>
            JSON.stringify(
              {
                model: 'm',
                [c.list]: turns.flatMap(([user, other]) => [c.user(user.map(change)), c.other(other)]),
                tail: '<**t**>',
              },
              null,
              indent,
            )
          const before = Buffer.from(build((text) => text))
          const edited = editUserTexts(readRequest(before, c.dialect), stripUserText, mayHoldMarker)
          expect(edited.toString()).toBe(build((text) => stripUserText(text)))
          if (edited.equals(before)) expect(edited).toBe(before)
          expect(editUserTexts(readRequest(edited, c.dialect), stripUserText)).toBe(edited)
        },
      ),
      runs(500),
    )
  })
})

describe('editing the model', () => {
  const edit = (body: string, model: string) =>
    editModel(readRequest(Buffer.from(body), messagesDialect), model).toString()
  it.each([
    ['{"a":1, "model" : "x" ,"messages":[]}', 'y/z:1', '{"a":1, "model" : "y/z:1" ,"messages":[]}'],
    ['{"model":null}', 'y', '{"model":"y"}'],
    [' { "messages":[]}', 'y', ' {"model":"y", "messages":[]}'],
    [' { }', 'y', ' {"model":"y" }'],
  ])('changes only its value: %s', (body, model, expected) => {
    expect(edit(body, model)).toBe(expected)
  })
  it('gives the same Buffer for the same model', () => {
    const body = Buffer.from('{"model":"x"}')
    expect(editModel(readRequest(body, messagesDialect), 'x')).toBe(body)
  })
})

describe('a first look for markers', () => {
  it.each<[boolean, string]>([
    [true, String.raw`{"a":"x <**clear**>"}`],
    [true, String.raw`{"a":"\u003c**clear**\u003e"}`],
    [true, String.raw`{"a":"\u003C**clear**>"}`],
    [true, String.raw`{"a":"<\u002a*clear**>"}`],
    [true, String.raw`{"a":"<*\u002Aclear**>"}`],
    [true, String.raw`{"a":"\u003c\u002a\u002aclear"}`],
    [false, String.raw`{"a":"\u003cb\u003e \u001b[0m ** < **"}`],
    [false, '{}'],
    [false, String.raw`{"a":"\u00`],
  ])('says %s for %s', (expected, json) => {
    expect(mayHoldMarker(Buffer.from(json))).toBe(expected)
  })
  it('never misses one, however the text is written', () => {
    const around = fc.string({ unit: fc.constantFrom('<', '*', 'a', '"', '\\', '>', '\u001b', '中') })
    fc.assert(
      fc.property(around, around, fc.infiniteStream(fc.nat(2)), (before, behind, how) => {
        const text = `${before}<**${behind}`
        const written = [...text]
          .map((char) => {
            const escape = `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
            const way = how.next().value
            return way === 0
              ? escape
              : way === 1
                ? escape.toUpperCase().replace('\\U', '\\u')
                : JSON.stringify(char).slice(1, -1)
          })
          .join('')
        expect(JSON.parse(`"${written}"`)).toBe(text)
        expect(mayHoldMarker(Buffer.from(`{"a":"${written}"}`))).toBe(true)
      }),
      runs(100),
    )
  })
})
