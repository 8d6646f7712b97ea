import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { parseMarkers } from './parse.ts'
import { renderMarker } from '../testing/render-marker.ts'
import { writeGoal } from '../write-goal.ts'
import { stripText } from '../strip.ts'
import { everything, markerTexts, someTargets } from '../testing/texts.ts'
import type { Command, InvalidMarkerCode } from '../types.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const options = { language: 'en', targets: someTargets } as const
const commands = (text: string): Command[] =>
  parseMarkers(text, options).instructions.map(({ marker, ...command }) => {
    expect(marker).toMatch(/^<\*\*/)
    return command
  })

describe('clock markers', () => {
  const at = '2026-01-21T20:30:00-08:00'
  it.each<[string, Command]>([
    ['<**clock:clear**>', { kind: 'clock-clear' }],
    ['<**Clock：CLEAR**>', { kind: 'clock-clear' }],
    [
      `<**clock:{"time":"${at}","message":"look at the build"}**>`,
      { kind: 'clock-set', time: at, dueAtMs: Date.UTC(2026, 0, 22, 4, 30), message: 'look at the build' },
    ],
    [
      `<**clock: {"message":"say \\"hi\\" **>\\n","time":"2026-01-21T20:30Z"} **>`,
      {
        kind: 'clock-set',
        time: '2026-01-21T20:30Z',
        dueAtMs: Date.UTC(2026, 0, 21, 20, 30),
        message: 'say "hi" **>\n',
      },
    ],
    [
      `<**clock：{“time”：“${at}”，“message”：“看构建”}**>`,
      { kind: 'clock-set', time: at, dueAtMs: Date.UTC(2026, 0, 22, 4, 30), message: '看构建' },
    ],
  ])('reads %s', (marker, expected) => {
    expect(commands(marker)).toEqual([expected])
  })
  it.each<[string, InvalidMarkerCode]>([
    ['<**clock**>', 'no-value'],
    ['<**clock:**>', 'no-value'],
    ['<**clock:off**>', 'bad-clock'],
    ['<**clock:{}**>', 'bad-clock'],
    ['<**clock:{"time":"x"**>', 'bad-clock'],
    [`<**clock:{"time":"${at}","message":" "}**>`, 'bad-clock'],
    [`<**clock:{"time":"${at}","message":3}**>`, 'bad-clock'],
    [`<**clock:{"time":"${at}","message":"m","tool":"x"}**>`, 'bad-clock'],
    ['<**clock:{"time":"2026-01-21T20:30:00","message":"no zone"}**>', 'bad-clock'],
    ['<**clock:{"time":"tomorrow","message":"m"}**>', 'bad-clock'],
    ['<**clock:{"time":"2026-02-30T20:30:00Z","message":"m"}**>', 'bad-clock'],
    ['<**clock:{"time":"2026-02-20T25:30:00Z","message":"m"}**>', 'bad-clock'],
    ['<**clock:{"time":5,"message":"m"}**>', 'bad-clock'],
  ])('refuses %s as %s', (marker, code) => {
    expect(commands(marker)).toMatchObject([{ kind: 'invalid', code }])
  })
})

describe('routing markers', () => {
  it.each<[string, Command]>([
    ['<**!glm**>', { kind: 'routing-allow', providers: ['glm'] }],
    ['<**!glm,anth**>', { kind: 'routing-allow', providers: ['glm', 'anth'] }],
    ['<**! glm ， anth,glm**>', { kind: 'routing-allow', providers: ['glm', 'anth'] }],
    ['<**glm**>', { kind: 'routing-allow', providers: ['glm'] }],
    ['<**!glm.glm-5**>', { kind: 'routing-prefer', provider: 'glm', model: 'glm-5' }],
    ['<**glm.glm-5**>', { kind: 'routing-force', provider: 'glm', model: 'glm-5' }],
    ['<**glm.meta/llama-3.1:70b**>', { kind: 'routing-force', provider: 'glm', model: 'meta/llama-3.1:70b' }],
    ['<**#glm**>', { kind: 'routing-disable', target: { kind: 'provider', provider: 'glm' } }],
    [
      '<**#glm.meta/llama-3.1:70b**>',
      { kind: 'routing-disable', target: { kind: 'model', provider: 'glm', model: 'meta/llama-3.1:70b' } },
    ],
    ['<**#glm.2**>', { kind: 'routing-disable', target: { kind: 'key', provider: 'glm', key: 2 } }],
    ['<**#anth.2**>', { kind: 'routing-disable', target: { kind: 'model', provider: 'anth', model: '2' } }],
    ['<**#glm[spare]**>', { kind: 'routing-disable', target: { kind: 'key', provider: 'glm', key: 'spare' } }],
    ['<**@glm**>', { kind: 'routing-enable', target: { kind: 'provider', provider: 'glm' } }],
    ['<**@glm.glm-5**>', { kind: 'routing-enable', target: { kind: 'model', provider: 'glm', model: 'glm-5' } }],
    ['<**@ glm.1**>', { kind: 'routing-enable', target: { kind: 'key', provider: 'glm', key: 1 } }],
    ['<**@glm[main]**>', { kind: 'routing-enable', target: { kind: 'key', provider: 'glm', key: 'main' } }],
    ['<**clear**>', { kind: 'clear' }],
    ['<** CLEAR **>', { kind: 'clear' }],
  ])('reads %s', (marker, expected) => {
    expect(commands(marker)).toEqual([expected])
  })
  it.each<[string, InvalidMarkerCode]>([
    ['<**hello**>', 'unknown-provider'],
    ['<**hello world**>', 'bad-target'],
    ['<**!hello**>', 'unknown-provider'],
    ['<**!glm,hello**>', 'unknown-provider'],
    ['<**!glm.glm-5,anth**>', 'bad-target'],
    ['<**!glm,**>', 'bad-target'],
    ['<**!**>', 'bad-target'],
    ['<**glm.gpt-9**>', 'unknown-model'],
    ['<**!glm.gpt-9**>', 'unknown-model'],
    ['<**hello.glm-5**>', 'unknown-provider'],
    ['<**glm.**>', 'bad-target'],
    ['<**#hello**>', 'unknown-provider'],
    ['<**#glm.gpt-9**>', 'unknown-model'],
    ['<**#glm.3**>', 'unknown-key'],
    ['<**#glm[other]**>', 'unknown-key'],
    ['<**#hello[main]**>', 'unknown-provider'],
    ['<**@glm.gpt-9**>', 'unknown-model'],
    ['<**glm,anth**>', 'bad-target'],
    ['<**__proto__**>', 'unknown-provider'],
    ['<****>', 'empty'],
    ['<** \n **>', 'empty'],
  ])('refuses %s as %s', (marker, code) => {
    expect(commands(marker)).toMatchObject([{ kind: 'invalid', code }])
  })
})

describe('a whole message', () => {
  it('is read from left to right, with what was written', () => {
    const { instructions } = parseMarkers('<**clear**> a <**sm:3**> b <**what**>', options)
    expect(instructions.map((i) => [i.kind, i.marker])).toEqual([
      ['clear', '<**clear**>'],
      ['stop-message-set', '<**sm:3**>'],
      ['invalid', '<**what**>'],
    ])
  })
  it('gives markers in the middle of a paste apart, unread', () => {
    const text = '<pasted_content id="k">\nfirst\n<**sm:"evil"**>\nlast\n</pasted_content id="k"> <**clear**>'
    expect(parseMarkers(text, options)).toMatchObject({
      instructions: [{ kind: 'clear' }],
      held: [{ marker: '<**sm:"evil"**>', why: 'in-paste' }],
      beyond: false,
    })
  })
  it('is one of several texts: only its ends begin and end the message', () => {
    const read = (part: { first: boolean; last: boolean }) =>
      parseMarkers('<**clear**>\nb\n<**sm:3**>', { ...options, part }).instructions.map((i) => i.kind)
    expect(read({ first: true, last: false })).toEqual(['clear'])
    expect(read({ first: false, last: true })).toEqual(['stop-message-set'])
    expect(read({ first: false, last: false })).toEqual([])
  })
  it('holds nothing without markers', () => {
    expect(parseMarkers('just text', options)).toEqual({ instructions: [], held: [], beyond: false })
  })
})

describe('canonical rendering', () => {
  const readAgain = (text: string, targets = everything) => {
    for (const instruction of parseMarkers(text, { language: 'en', targets }).instructions) {
      const rendered = renderMarker(instruction)
      expect(parseMarkers(rendered, { language: 'en', targets }).instructions).toEqual([
        { ...instruction, marker: rendered },
      ])
    }
  }
  it('reads back the same for whatever was read', () => {
    fc.assert(
      fc.property(markerTexts, (text) => readAgain(text)),
      runs(3000),
    )
  })
  it('reads back the same for texts, paths, models and messages of every kind', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('\\', '"', '“', '”', '>', '<', '*', ',', '，', '/', 'a', '\n', '[', ']', '.'),
      }),
    )
    fc.assert(
      fc.property(word, fc.nat(12), fc.boolean(), (w, n, review) => {
        const tail = `,${n},ai:${review ? 'on' : 'off'}`
        readAgain(`<**sm:"${w}"${tail}**>`)
        readAgain(`<**sm:“${w}”${tail}**>`)
        readAgain(`<**sm:<file://goals/${w}>${tail}**>`)
        readAgain(`<**sm:file://.onward/goals/${w}**>`)
        readAgain(`<**p.${w}**>`)
        readAgain(`<**#p[${w}]**>`)
        readAgain(`<**@p.${n}**>`, someTargets)
        readAgain(`<**clock:${JSON.stringify({ time: '2026-01-21T20:30:00Z', message: w })}**>`)
      }),
      runs(2000),
    )
  })
  it('reads back the goal that a program asks for, or another text than it asked for', () => {
    const words = fc.string({ unit: fc.constantFrom('\\', '"', '“', '”', 'a', ' ', ','), minLength: 1 })
    const most = fc.option(fc.integer({ min: 1, max: 500 }))
    let same = 0
    fc.assert(
      fc.property(words, most, fc.boolean(), (text, max, review) => {
        const { instructions } = parseMarkers(writeGoal({ text, max, review }), options)
        const [read] = instructions
        if (read?.kind !== 'stop-message-set' || read.text.kind !== 'text' || read.text.text !== text) return
        same += 1
        expect(instructions).toMatchObject([{ max, review }])
      }),
      runs(1000),
    )
    expect(same).toBeGreaterThan(0)
    expect(parseMarkers(writeGoal({ text: 'ship it', max: 3, review: true }), options).instructions).toMatchObject([
      { text: { kind: 'text', text: 'ship it' }, max: 3, review: true },
    ])
  })
  it('writes a backslash at the end of a text so that it stays', () => {
    const instruction = {
      kind: 'stop-message-set',
      text: { kind: 'text', text: 'dir\\' },
      max: null,
      review: true,
      marker: '',
    } as const
    expect(renderMarker(instruction)).toBe('<**sm:“dir\\”,ai:on**>')
  })
})

describe('a text of very many markers', () => {
  it.each([
    ['typed', (n: number) => '<**#p**>'.repeat(n), 32, 0],
    [
      'pasted',
      (n: number) => `<pasted_content id="x">\n1\n${'<**#p**>'.repeat(n)}\n2\n</pasted_content id="x">`,
      0,
      32,
    ],
    [
      'typed behind a paste',
      (n: number) => `<pasted_content id="x">\n1\n<**#p**>\n2\n</pasted_content id="x">\n${'<**#p**>'.repeat(n - 1)}`,
      31,
      1,
    ],
  ] as const)('is read for the first 32 of them, and says that there are more: %s', (_, text, live, pasted) => {
    const read = (n: number) => {
      const { instructions, held, beyond } = parseMarkers(text(n), options)
      return [instructions.length, held.length, beyond]
    }
    expect(read(32)).toEqual([live, pasted, false])
    expect(read(33)).toEqual([live, pasted, true])
    expect(read(100_000)).toEqual([live, pasted, true])
  })

  it('loses all of them', () => {
    expect(stripText(`a ${'<**#p**>'.repeat(100_000)} b`)).toBe('a  b')
  })
})

describe('any input', () => {
  it('is read without a throw', () => {
    fc.assert(
      fc.property(fc.oneof(markerTexts, fc.string({ unit: 'binary' })), (text) => {
        parseMarkers(text, options)
        parseMarkers(`<**${text}**>`, options)
      }),
      runs(2000),
    )
  })
})
