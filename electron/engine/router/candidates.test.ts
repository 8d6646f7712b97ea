import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../shared/config/schema.ts'
import { requestKinds } from '../../../shared/words.ts'
import { candidatesFor, categoryOf } from './candidates.ts'
import { isSmallModel } from './small-models.ts'
import type { RouteAsk } from './types.ts'

/** Spec 06's example, its routes and aliases. */
const example: ConfigInput = {
  providers: {
    glm: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9001/v1', models: { 'glm-5': {} } },
    anth: { type: 'anthropic', baseUrl: 'http://127.0.0.1:9002', models: { 'claude-x': {} } },
  },
  routes: { default: ['glm.glm-5', 'anth.claude-x'], background: ['glm.glm-5'] },
  aliases: { sonnet: 'glm.glm-5', fast: 'haiku-4', big: 'sonnet', left: 'right', right: 'left' },
}
const ask = (patch: Partial<RouteAsk>): RouteAsk => ({ entry: 'chat', endpoint: 'generate', kind: 'turn', model: 'gpt-x', sessionId: null, overrides: { allow: null, prefer: null, force: null, disabled: [] }, ...patch })
const targets = (patch: Partial<RouteAsk>, input = example) => {
  const { list, why } = candidatesFor(ask(patch), configSchema.parse(input))
  return { to: list.map((c) => `${c.providerId}.${c.model}`), why }
}

describe('the background route', () => {
  it.each(requestKinds.map((kind) => [kind, kind === 'title' || kind === 'probe' ? 'background' : 'default'] as const))('%s goes to %s', (kind, category) => {
    expect(categoryOf({ kind, model: 'big-model' })).toBe(category)
  })

  it('takes the client’s small model, but no compaction or count of its conversation', () => {
    expect(['turn', 'subagent', 'compaction', 'count'].map((kind) => categoryOf({ kind: kind as RouteAsk['kind'], model: 'claude-haiku-4-5' }))).toEqual(['background', 'background', 'default', 'default'])
  })

  it('has the default pool behind it', () => {
    expect(targets({ kind: 'title', entry: 'messages' })).toEqual({ to: ['glm.glm-5', 'anth.claude-x'], why: ['route background, then default'] })
  })

  it.each([
    ['claude-haiku-4-5-20251001', true], ['gpt-5-mini', true], ['gpt-4.1-nano', true], ['gemini-2.5-flash-lite', true], ['glm-4.5-air', true], ['anthropic/claude-3-5-haiku', true],
    ['claude-opus-4-5', false], ['gpt-5', false], ['gpt-5-codex', false], ['gemini-2.5-flash', false], ['minimax-m2', false], ['glm-5', false], ['', false],
  ])('%s is small: %s', (model, small) => {
    expect(isSmallModel(model)).toBe(small)
  })
})

describe('aliases', () => {
  it('name an address, another alias, or a model that then goes its usual way', () => {
    expect(targets({ model: 'sonnet' })).toEqual({ to: ['glm.glm-5'], why: ['sonnet is an alias of glm.glm-5'] })
    expect(targets({ model: 'big' }).why).toEqual(['big is an alias of sonnet', 'sonnet is an alias of glm.glm-5'])
    expect(targets({ model: 'fast' }).why).toEqual(['fast is an alias of haiku-4', 'route background, then default'])
  })

  it('in a circle end', () => {
    expect(targets({ model: 'left' }).to).toEqual(['glm.glm-5', 'anth.claude-x'])
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'constructor.name', '__proto__/x'])('a model called %s is only a name', (model) => {
    expect(targets({ model }).to).toEqual(['glm.glm-5', 'anth.claude-x'])
    expect(targets({ model }, { ...example, routes: {} }).to).toEqual([`glm.${model}`, 'anth.claude-x'])
  })
})

describe('protocols', () => {
  it.each(['chat', 'responses', 'messages'] as const)('a %s client goes where the route says: other protocols are converted', (entry) => {
    expect(targets({ entry }).to).toEqual(['glm.glm-5', 'anth.claude-x'])
  })

  it('what can’t be converted stays with its own', () => {
    const { list, skipped } = candidatesFor(ask({ entry: 'messages', endpoint: 'count', kind: 'count' }), configSchema.parse(example))
    expect(list.map((c) => c.providerId)).toEqual(['anth'])
    expect(skipped).toEqual([{ candidate: 'glm.glm-5', why: 'speaks openai-chat, and this is a request of messages only' }])
  })

  it('without routes the client’s own come first, and others with a model they know', () => {
    expect(targets({ entry: 'messages' }, { ...example, routes: {} }).to).toEqual(['anth.gpt-x', 'glm.glm-5'])
    expect(targets({ entry: 'messages', model: 'glm-5' }, { ...example, routes: {} }).to).toEqual(['glm.glm-5'])
  })
})
