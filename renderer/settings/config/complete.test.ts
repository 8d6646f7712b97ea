import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { completionsAt } from './complete.ts'
import type { Schema } from './schema-at.ts'

const schema: Schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../../shared/config/schema.json'), 'utf8'))
/** `|` is the caret. @returns the text with each completion taken */
function taken(marked: string): Record<string, string> {
  const offset = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completionsAt(text, offset, schema)
  return Object.fromEntries(
    (found?.items ?? []).map(({ label, insert, caret }) => {
      const end = (found?.from ?? 0) + insert.length + caret
      const next = text.slice(0, found?.from) + insert + text.slice(found?.to)
      return [label, `${next.slice(0, end)}|${next.slice(end)}`]
    }),
  )
}
const labels = (marked: string) => Object.keys(taken(marked))

describe('completion in the config', () => {
  it('offers the settings of the place that are not there yet, and puts what has their form', () => {
    expect(labels('{ "clock": { | } }')).toEqual(
      expect.arrayContaining(['enabled', 'timeTag', 'retentionMs', 'holdMaxMs', 'ntp']),
    )
    expect(labels('{ "clock": { "enabled": true, | } }')).not.toContain('enabled')
    expect(taken('{ "clock": { "nt|" } }')['ntp']).toBe('{ "clock": { "ntp": {|} } }')
    expect(taken('{ "clock": { ret| } }')).toEqual({ retentionMs: '{ "clock": { "retentionMs": 1200000| } }' })
    expect(taken('{ "providers": { "zai": { "base| } } }')['baseUrl']).toBe(
      '{ "providers": { "zai": { "baseUrl": "|" } } }',
    )
  })

  it('changes a name only, where its value is there', () =>
    expect(taken('{ "clock": { "retention|": 5 } }')).toEqual({
      retentionMs: '{ "clock": { "retentionMs"|: 5 } }',
    }))

  it.each([
    ['{ "stopMessage": { "delivery": | } }', ['inject', 'inbox', 'reenter']],
    ['{ "stopMessage": { "delivery": "re|" } }', ['reenter']],
    ['{ "clock": { "enabled": | } }', ['true', 'false']],
    ['{ "providers": { "a": { "type": "openai-c|" } } }', ['openai-chat']],
    ['{ "language": "z|" }', ['zh-CN']],
  ])('offers the values of %s', (text, wanted) => expect(labels(text)).toEqual(wanted))

  it('knows the models of this very text where a route names one', () => {
    const text = (routes: string) => `{ "providers": { "zai": { "models": { "glm-5": {} } } }, "routes": ${routes} }`
    expect(labels(text('{ "default": ["|"] }'))).toEqual(['zai.glm-5'])
    expect(taken(text('{ "default": [|] }'))['zai.glm-5']).toBe(text('{ "default": ["zai.glm-5"|] }'))
    expect(labels(text('{ "rev|" }'))).toEqual(['review'])
  })

  it.each([['{ } // say |'], ['{ "unknown": { | } }'], ['']])('offers nothing in %s', (text) =>
    expect(completionsAt(text.replace('|', ''), Math.max(0, text.indexOf('|')), schema)).toBeNull(),
  )

  it('never fails, wherever the caret stands in a broken text', () => {
    const text = '{ "routes": { "default": ["a.b", { "target": }] , "clock": { "enabled": tr\n"x'
    for (let at = 0; at <= text.length; at++) completionsAt(text, at, schema)
  })
})
