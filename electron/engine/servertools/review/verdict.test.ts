import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockerKinds } from '../../../../shared/review.ts'
import { verdictOf } from './testing/scene.ts'
import { findVerdict, readVerdict, verdictParameters } from './verdict.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const said = JSON.stringify(verdictOf({ followup: 'Go on.' }))
const found = (text: string) => {
  const read = findVerdict(text)
  return read.ok ? read.verdict.followup : read.why
}

describe('a verdict in a text', () => {
  it.each<[string, string]>([
    ['alone', said],
    ['spread over lines', JSON.stringify(JSON.parse(said), null, 2)],
    [
      'with its members in another order',
      '{"followup":"Go on.","evidence":[{"claim":"a {","source":"b",' +
        '"result":"\\"goalReached\\""}],"blockers":[],"goalReached":false}',
    ],
    ['within another object', `{"type":"result","verdict":${said},"cost":{"usd":1}}`],
    ['behind another verdict', `${JSON.stringify(verdictOf({ followup: 'Old.' }))}\n${said}`],
    ['before one that is none', `${said}\n{"goalReached": "maybe"}`],
    ['before a broken one', `${said}\n{"goalReached": true, "evidence": [`],
    ['behind braces', `{{{ function () { ${said}`],
    ['before words about it', `${said}\nI set "goalReached" to false.`],
  ])('%s is found', (_, text) => {
    expect(found(text)).toBe('Go on.')
  })

  it.each<[string, string, RegExp]>([
    ['no verdict', 'all is fine', /no JSON object with a verdict/],
    ['the schema', JSON.stringify(verdictParameters), /not as declared/],
    ['a member too many', said.replace('{', '{"sure":true,'), /not as declared/],
    [
      'an unknown blocker',
      JSON.stringify({ ...verdictOf(), blockers: [{ kind: 'bored', text: '' }] }),
      /“blockers\.0\.kind”/,
    ],
  ])('is none in %s', (_, text, why) => {
    expect(found(text)).toMatch(why)
  })

  it('is found whatever stands around it', () => {
    const noise = fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', '[', 'a', ' ', '\n', '```') })
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        expect(found(`${before}${said}${after}`)).toBe('Go on.')
      }),
      runs(100),
    )
  })

  it('is not looked for without an end', () => {
    for (const text of [
      '{'.repeat(65_536),
      '{"goalReached":'.repeat(4_000),
      `${'{'.repeat(30_000)}"goalReached"${'"'.repeat(30_000)}`,
    ])
      expect(findVerdict(text).ok).toBe(false)
  })
})

it('is what its schema says', () => {
  expect(readVerdict(verdictOf()).ok).toBe(true)
  expect(verdictParameters['required']).toEqual(Object.keys(verdictOf()))
  expect(JSON.stringify(verdictParameters)).toContain(JSON.stringify(blockerKinds))
})
