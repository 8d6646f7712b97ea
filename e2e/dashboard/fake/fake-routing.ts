/** Providers, routing, activity and limits of the fake engine. For development and tests only. */
import { presetOf } from '../../../shared/config/presets.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { ProviderView, RoutingView } from '../../../shared/routing.ts'
import type { EngineUpdate, SessionView } from '../../../shared/state.ts'
import { fakeProviderEdit } from './fake-provider-edit.ts'
import type { Scene } from './scene.ts'
import { sceneActivity, sceneProviders, sceneRouting } from './scene-routing.ts'
import { sceneCosts } from './scene-costs.ts'
import { sceneTurns } from './scene-turns.ts'

interface Parts {
  scene: Scene
  put(id: string, change: Partial<SessionView>): SessionView
  find(ref: string): SessionView
  push(update: EngineUpdate): void
}

export function fakeRouting({ put, find, push }: Parts, now: () => number) {
  let providers = sceneProviders(now())
  let routing = sceneRouting(now())
  let before = { providers, routing }
  const tell = () => push({ type: 'providers', providers, routing })
  /** every edit of the config can be taken back, the last one only */
  const edit = (change: { providers?: readonly ProviderView[]; routing?: Partial<RoutingView> }) => {
    before = { providers, routing }
    providers = change.providers ?? providers
    edits++
    routing = { ...routing, ...change.routing, savedAt: now() + edits, canUndo: true }
    tell()
    return routing
  }
  let edits = 0
  const shown = () => ({ providers, routing })
  return {
    shown,
    ...fakeProviderEdit({ shown, edit }),
    async turn(requestId) {
      const found = sceneTurns(now(), 487).find((turn) => turn.requestId === requestId)
      if (!found) throw new Error(`No turn ${requestId} is kept.`)
      return found
    },
    async activity(hours) {
      return sceneActivity(now(), hours)
    },
    async costs(days) {
      return sceneCosts(now(), days)
    },
    async providers() {
      return providers
    },
    async routing() {
      return routing
    },
    async routeCheck(question) {
      const long = question.tokens > routing.longContextThreshold
      const category = long
        ? ('longContext' as const)
        : question.thinking
          ? ('thinking' as const)
          : ('default' as const)
      const because = long
        ? { code: 'long' as const, tokens: question.tokens, threshold: routing.longContextThreshold }
        : question.thinking
          ? { code: 'thinking' as const }
          : { code: 'otherwise' as const }
      return {
        kind: 'goes',
        contextWindow: 200_000,
        route: {
          provider: 'zai',
          model: 'glm-5',
          keyAlias: 'main',
          category,
          why: [{ code: 'category', category, because }],
          skipped: long
            ? [
                {
                  candidate: 'qwen.qwen3-coder',
                  why: { code: 'resting', key: null, rest: { why: 'failures', count: 3, until: now() + 42_000 } },
                },
              ]
            : [],
        },
      }
    },
    async testProvider(asked) {
      const key = typeof asked === 'string' ? 'main' : asked.key
      return { kind: 'answered', model: 'glm-5', key, ttfbMs: 800, tookMs: 1100, models: ['glm-5'] }
    },
    async addProvider(input) {
      const preset = input.preset === null ? null : presetOf(input.preset)
      edit({
        providers: [
          ...providers,
          {
            id: input.id,
            type: input.type,
            baseUrl: input.baseUrl ?? preset?.baseUrl ?? null,
            auth: input.auth,
            models: input.models.map((id) => ({
              id,
              contextWindow: null,
              vision: null,
              thinking: null,
              priced: false,
            })),
            keys:
              input.key === null
                ? []
                : [{ alias: 'main', from: 'env' in input.key ? 'env' : 'secret', state: { kind: 'ready' } }],
            health: { kind: 'unused' },
            quotas: [],
            calls: [],
            ttfbMs: null,
            sessions: 0,
            routes: [],
            local: false,
          },
        ],
      })
    },
    async removeProvider(provider) {
      edit({ providers: providers.filter((p) => p.id !== provider) })
    },
    async saveRoute({ category, pool }) {
      return edit({ routing: { routes: { ...routing.routes, [category]: pool } } })
    },
    async undoConfig() {
      edits++
      ;({ providers, routing } = before)
      routing = { ...routing, savedAt: now() + edits, canUndo: false }
      tell()
      return routing
    },
    async setResumeAtReset({ session: ref, on }) {
      return put(ref, { resumeAtReset: on, ...resuming(find(ref), on) })
    },
    async setRecover({ session: ref, on }) {
      return put(ref, { recovers: on })
    },
    async cancelResume(ref) {
      return put(ref, resuming(find(ref), false))
    },
    async setOutage({ session, tell, standIn }) {
      const { say, outage } = find(session)
      const tried = say.code === 'turn-failed' ? say.tried : []
      const failed = outage?.failed ?? tried.map(({ provider, model }) => `${provider}.${model}`)
      const next = { failed, since: outage?.since ?? now(), tell, standIn }
      return put(session, { outage: tell || standIn !== null ? next : undefined })
    },
    async setCapture({ session: ref, on }) {
      return put(ref, { capture: on })
    },
  } satisfies Partial<ControlApi> & { shown(): unknown }
}

function resuming({ limit, say }: SessionView, resume: boolean): Partial<SessionView> {
  if (!limit) return {}
  const resumeAt = resume && limit.lifts !== null ? limit.lifts + 5000 : null
  return { limit: { ...limit, resume, resumeAt }, ...(say.code === 'limited' ? { say: { ...say, resumeAt } } : {}) }
}
