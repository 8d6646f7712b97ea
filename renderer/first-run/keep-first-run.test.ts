import { describe, expect, it } from 'vitest'
import { firstRunOf, heldAgainst } from './keep-first-run.ts'
import { firstRunStart, type FirstRunState } from './outcome.ts'
import { emptyEngine } from '../state/engine.ts'

const answered = { kind: 'answered', model: 'glm-5', key: null, ttfbMs: 800, tookMs: 800, models: [] } as const
const tried: FirstRunState = {
  open: 'demo',
  models: { kind: 'tried', provider: 'zai', trial: { test: answered, routed: null } },
  demo: 'term_1',
}

describe('the first steps', () => {
  it.each([tried, firstRunStart, { open: 'agents', models: { kind: 'login', provider: 'anthropic' }, demo: null }])(
    'are found again as they were left',
    (state) => expect(firstRunOf(JSON.stringify(state))).toEqual(state),
  )

  it.each([null, '', 'nonsense', '[]', '{"open":"end","models":{"kind":"tried"},"demo":3}', '{"models":{"kind":"x"}}'])(
    'begin anew where %s was kept',
    (kept) => expect(firstRunOf(kept)).toEqual(firstRunStart),
  )

  it('forget a provider and a demo that the engine does not know', () => {
    expect(heldAgainst(tried, emptyEngine)).toEqual({ open: 'demo', models: null, demo: null })
  })
})
