import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configSchema, routeCategories, type Config, type ConfigInput } from '../../shared/config/schema.ts'
import { applyPolicies } from '../../shared/policy/apply.ts'
import { budgetSettings, type Policy } from '../../shared/policy/policy.ts'
import { runs } from '../../shared/testing/runs.ts'
import { OnwardError } from './base/errors.ts'
import { virtualClock } from './base/testing/virtual-clock.ts'
import { createRouter } from './router/create-router.ts'
import { ask } from './router/testing/scene.ts'
import { createRegistry } from './servertools/registry.ts'
import type { Servertool } from './servertools/types.ts'
import { excessOf, newExcess } from './config/policy/excess.ts'
import { readPolicy } from './config/policy/read-policy.ts'

const hosts = [
  'https://a.example',
  'https://a.example.evil.example',
  'https://b.example/team',
  'https://b.example/teams',
]
const names = ['m-1', 'm-2', 'M-1-preview', 'x'] as const
const tools = ['clock', 'web_fetch', 'web_search'] as const
const ids = ['one', 'two', 'three'] as const

const target = fc
  .tuple(fc.constantFrom(...ids), fc.constantFrom('.', '/', ','), fc.constantFrom(...names))
  .map((parts) => parts.join(''))
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const budget = optional(fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }))

const config = fc
  .record({
    hosts: fc.array(fc.constantFrom(...hosts), { minLength: 3, maxLength: 3 }),
    listed: fc.array(fc.subarray([...names]), { minLength: 3, maxLength: 3 }),
    routes: fc.dictionary(fc.constantFrom(...routeCategories), fc.array(target, { minLength: 1, maxLength: 3 })),
    aliases: fc.dictionary(fc.constantFrom('sonnet', 'haiku'), fc.oneof(target, fc.constantFrom('sonnet', 'haiku'))),
    budgets: fc.record({
      rounds: budget,
      hours: budget,
      noProgressRounds: budget,
      tokens: budget,
      costUsd: budget,
    }),
    tools: fc.dictionary(fc.constantFrom(...tools), fc.boolean()),
    clock: fc.boolean(),
    phone: fc.constantFrom(null, '127.0.0.1', 'tailscale' as const),
    collector: fc.constantFrom(null, 'http://127.0.0.1:4318'),
    metricsKeys: fc.subarray(['a-key-for-prometheus']),
    none: fc.boolean(),
  })
  .map((c): Config => {
    const input: ConfigInput = {
      providers: c.none
        ? {}
        : Object.fromEntries(
            ids.map((id, i) => [
              id,
              {
                type: i === 0 ? 'anthropic' : 'openai-chat',
                baseUrl: `${c.hosts[i] ?? ''}/v1`,
                auth: 'none',
                models: Object.fromEntries((c.listed[i] ?? []).map((name) => [name, {}])),
              },
            ]),
          ),
      routes: c.none ? {} : c.routes,
      aliases: c.aliases,
      stopMessage: {
        budgets: Object.fromEntries(Object.entries(c.budgets).filter(([, value]) => value !== undefined)),
      },
      servertools: { tools: c.tools },
      clock: { enabled: c.clock },
      phone: { host: c.phone },
      telemetry: { collector: c.collector, metricsKeys: c.metricsKeys },
    }
    return configSchema.parse(input)
  })

const policy = fc
  .record(
    {
      organisation: fc.constantFrom('Example Ltd', 'Other GmbH'),
      providers: fc.array(
        fc.record(
          {
            address: fc.constantFrom('https://a.example', 'https://b.example/team', 'https://b.example/team/'),
            models: fc.array(fc.constantFrom('m-*', '*-1', 'm-*-preview', 'x'), { minLength: 1, maxLength: 2 }),
          },
          { requiredKeys: ['address'] },
        ),
        { maxLength: 2 },
      ),
      budgets: fc.record(
        Object.fromEntries(budgetSettings.map((name) => [name, fc.integer({ min: 1, max: 9 })])) as Record<
          (typeof budgetSettings)[number],
          fc.Arbitrary<number>
        >,
        { requiredKeys: [] },
      ),
      servertools: fc.subarray([...tools]),
      telemetry: fc.boolean(),
      phone: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((written): Policy => {
    const { policy: read, problems } = readPolicy(JSON.stringify(written), '/etc/onward/policy.json')
    if (!read) throw new Error(JSON.stringify(problems))
    return read
  })
const policies = fc.array(policy, { maxLength: 2 })

/** Read again by other means than the code's: whole addresses with their folders, patterns as expressions. */
function allowed({ providers }: Policy, address: string, model: string): boolean {
  if (providers === null) return true
  return providers.some(
    (one) =>
      `${address.replace(/\/+$/, '')}/`.startsWith(`${one.address.replace(/\/+$/, '')}/`) &&
      (one.models ?? ['*']).some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i').test(model)),
  )
}

const tool = (name: string) =>
  ({ name, aliases: [], trigger: 'tool_call', onByDefault: true, problem: () => null }) as unknown as Servertool

describe('for any config and policies', () => {
  it('what is applied goes beyond none of them', () => {
    fc.assert(
      fc.property(config, policies, fc.constantFrom(undefined, '1', '0'), (written, held, env) => {
        const applied = applyPolicies(written, held)
        for (const one of held) {
          for (const name of budgetSettings) {
            const most = one.budgets[name]
            if (most !== undefined) expect(applied.stopMessage.budgets[name] ?? Infinity).toBeLessThanOrEqual(most)
          }
          if (!one.phone) expect(applied.phone.host).toBeNull()
          if (!one.telemetry) expect(applied.telemetry).toMatchObject({ collector: null, metricsKeys: [] })
          const registry = createRegistry(tools.map(tool), {
            config: () => applied,
            env: { ROUTECODEX_SERVER_TOOLS: env },
          })
          for (const name of tools)
            if (one.servertools && !one.servertools.includes(name)) expect(registry.isOn(tool(name))).toBe(false)
        }
        // Nor is anything wider than the file says.
        for (const name of budgetSettings) {
          const is = written.stopMessage.budgets[name]
          if (is !== null) expect(applied.stopMessage.budgets[name] ?? Infinity).toBeLessThanOrEqual(is)
        }
        expect(
          excessOf(applied, held).filter(({ path }) => !/^(providers|routes|aliases)$/.test(String(path[0]))),
        ).toEqual([])
      }),
      runs(600),
    )
  })

  it('no request reaches what one of them refuses, however it names it', () => {
    let refused = 0
    fc.assert(
      fc.property(
        config,
        policies,
        fc.record({
          model: fc.option(fc.oneof(target, fc.constantFrom(...names, 'sonnet', 'vision', 'review', 'default'))),
          entry: fc.constantFrom('chat', 'messages', 'responses', 'gemini'),
          kind: fc.constantFrom('turn', 'title', 'probe', 'subagent', 'compaction'),
          overrides: fc.record(
            { prefer: target, force: target, allow: fc.subarray([...ids], { minLength: 1 }) },
            { requiredKeys: [] },
          ),
          image: fc.boolean(),
          test: fc.boolean(),
          standIn: fc.option(target),
          others: fc.subarray([...names]),
        }),
        (written, held, asked) => {
          const applied = applyPolicies(written, held)
          const router = createRouter({
            config: () => applied,
            clock: virtualClock(),
            secretOf: () => ({ ok: false, why: 'none' }),
            readLimit: () => null,
            readQuotas: () => [],
          })
          const { standIn } = asked
          if (standIn !== null)
            router.useStandIns(() => ({ target: standIn.replace(/[/,]/, '.'), failed: ['one.m-1'], tryFailed: false }))
          const request = ask({
            model: asked.model,
            entry: asked.entry,
            kind: asked.kind,
            overrides: asked.overrides,
            needs: { image: asked.image },
            ...(asked.test ? { test: { key: null } } : {}),
          })
          request.needs.otherModels = () => asked.others
          try {
            const { providerId, provider, upstreamModel } = router.choose(request)
            if (provider.type === 'simulator') return
            const address = applied.providers[providerId]?.baseUrl ?? ''
            for (const one of held) {
              expect([address, upstreamModel, allowed(one, address, upstreamModel)]).toEqual([
                address,
                upstreamModel,
                true,
              ])
              if (one.providers?.some(({ models }) => models !== null))
                expect(asked.others.every((other) => allowed(one, address, other))).toBe(true)
            }
          } catch (error) {
            if (!OnwardError.isInstance(error)) throw error
            if (error.code === 'held-by-policy') refused++
            expect(error.status).toBe(error.code === 'held-by-policy' ? 400 : 503)
          }
          for (const { id, owner } of router.models()) {
            const address = applied.providers[owner]?.baseUrl
            if (address !== undefined) expect(held.every((one) => allowed(one, address, id))).toBe(true)
          }
        },
      ),
      runs(1_000),
    )
    expect(refused).toBeGreaterThan(0)
  })

  it('a change that goes no further is never refused, and one that does is', () => {
    fc.assert(
      fc.property(config, config, policies, (before, next, held) => {
        const said = (rules: ReturnType<typeof excessOf>) =>
          new Set(rules.map(({ fault }) => JSON.stringify([fault.code, fault.facts])))
        const isFurther = [...said(excessOf(next, held))].some((one) => !said(excessOf(before, held)).has(one))
        expect(newExcess(before, next, held).length > 0).toBe(isFurther)
        expect(newExcess(before, before, held)).toEqual([])
      }),
      runs(300),
    )
  })
})
