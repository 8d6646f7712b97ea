import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import { withoutTexts } from './without-texts.ts'

/** Stands wherever a person's, a model's or a screen's words can. */
const word = 'UNICORN'
const facts: readonly NoticeFact[] = [
  { class: 'goal-reached', name: 'api', reason: { code: 'goal-reached', checks: 2, evidence: word } },
  { class: 'goal-reached', name: 'api', reason: { code: 'goal-reached', checks: 0, evidence: word } },
  { class: 'goal-reached', name: 'api', reason: { code: 'rounds-used', used: 3, max: 3 } },
  { class: 'needs-you', name: 'api', what: `permission: ${word}` },
  { class: 'needs-you', name: 'api', what: `question: ${word}` },
  { class: 'needs-you', name: 'api', what: `blocker: ${word}` },
  { class: 'needs-you', name: 'api', what: `permission to ${word}` },
  { class: 'needs-you', name: 'api', what: word },
  { class: 'needs-you', name: 'api', what: `permission to edit: ${word}`, choices: [word, 'No'] },
  { class: 'needs-you', name: 'api', what: '', leftGoal: word },
  { class: 'needs-you', name: 'api', what: '', pause: { code: 'needs-user', text: word } },
  { class: 'needs-you', name: 'api', what: '', pause: { code: 'checks-unapproved', names: [word] } },
  { class: 'needs-you', name: 'api', what: '', pause: { code: 'review-failed', times: 2, why: word } },
  {
    class: 'needs-you',
    name: 'api',
    what: '',
    failure: { provider: 'zai', status: 503, message: word, since: 0, tries: 2, tried: [] },
  },
  { class: 'held-long', name: 'api', reason: { code: 'dialog-open', what: `permission: ${word}` }, heldMs: 60_000 },
  { class: 'alarm-due', name: 'api', at: 0, message: word, more: 1 },
  { class: 'alarm-missed', name: 'api', at: 0, message: word, more: 0 },
  { class: 'alarm-missed', name: 'api', at: 0, message: word, more: 2 },
]

describe.each(['en', 'zh-CN'] as const)('a notice without texts in %s', (language) => {
  it.each(facts)('says which session it is and no word of anybody: %j', (fact) => {
    const { title, body } = sentencesOf(language).notice(withoutTexts(fact))
    expect(`${title} ${body}`).not.toContain(word)
    expect(`${title} ${body}`).toMatch(/api/)
    expect(`${title} ${body}`).not.toMatch(/undefined|null|[:：,，]\s*$/)
  })
})

it('still names the provider that fails', () => {
  const [failure] = facts.filter((fact) => 'failure' in fact)
  if (!failure) throw new Error('no such fact')
  expect(sentencesOf('en').notice(withoutTexts(failure)).title).toBe('api stopped: zai fails')
})
