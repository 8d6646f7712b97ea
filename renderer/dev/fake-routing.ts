/** Providers, routing, activity and limits of the fake engine. For development and tests only. */
import type { ControlApi } from '../../shared/control/contract.ts'
import type { EngineUpdate, SessionView } from '../../shared/state.ts'
import type { Scene } from './scene.ts'
import { sceneActivity, sceneProviders, sceneRouting } from './scene-routing.ts'
import { sceneTurns } from './scene-turns.ts'

type Routing = Pick<ControlApi, 'turn' | 'activity' | 'providers' | 'routing' | 'routeCheck' | 'testProvider' | 'addProvider' | 'removeProvider' | 'saveRoute' | 'undoConfig' | 'setResumeAtReset' | 'cancelResume' | 'setCapture'>
interface Parts {
  scene: Scene
  called(name: string, input: unknown): void
  put(id: string, change: Partial<SessionView>): SessionView
  find(ref: string): SessionView
  push(update: EngineUpdate): void
}

export function fakeRouting({ called, put, find, push }: Parts, now: () => number): Routing {
  let providers = sceneProviders(now())
  let routing = sceneRouting(now())
  let before = routing
  const tell = () => push({ type: 'providers', providers, routing })
  return {
    async turn(requestId) {
      const found = sceneTurns(now(), 487).find((turn) => turn.requestId === requestId)
      if (!found) throw new Error(`No turn ${requestId} is kept.`)
      return found
    },
    async activity(hours) { called('activity', hours); return sceneActivity(now(), hours) },
    async providers() { return providers },
    async routing() { return routing },
    async routeCheck(question) {
      called('routeCheck', question)
      const long = question.tokens > routing.longContextThreshold
      const category = long ? 'longContext' as const : question.thinking ? 'thinking' as const : 'default' as const
      const because = long ? { code: 'long' as const, tokens: question.tokens, threshold: routing.longContextThreshold } : question.thinking ? { code: 'thinking' as const } : { code: 'otherwise' as const }
      return { kind: 'goes', contextWindow: 200_000, route: { provider: 'zai', model: 'glm-5', keyAlias: 'main', category, why: [{ code: 'category', category, because }], skipped: long ? [{ candidate: 'qwen.qwen3-coder', why: { code: 'resting', key: null, rest: { why: 'failures', count: 3, until: now() + 42_000 } } }] : [] } }
    },
    async testProvider(provider) { called('testProvider', provider); return { kind: 'answered', model: 'glm-5', key: 'main', ttfbMs: 800, tookMs: 1100, models: ['glm-5'] } },
    async addProvider(input) {
      called('addProvider', input)
      providers = [...providers, { id: input.id, type: input.type, baseUrl: input.baseUrl, auth: input.auth, models: input.models.map((id) => ({ id, contextWindow: null, vision: null, thinking: null, priced: false })), keys: [], health: { kind: 'unused' }, quotas: [], calls: [], ttfbMs: null, sessions: 0, routes: [], local: false }]
      tell()
    },
    async removeProvider(provider) { called('removeProvider', provider); providers = providers.filter((p) => p.id !== provider); tell() },
    async saveRoute({ category, pool }) {
      called('saveRoute', { category, pool })
      before = routing
      routing = { ...routing, routes: { ...routing.routes, [category]: pool }, savedAt: now(), canUndo: true }
      tell()
      return routing
    },
    async undoConfig() { called('undoConfig', null); routing = { ...before, canUndo: false }; tell(); return routing },
    async setResumeAtReset(ref, on) {
      called('setResumeAtReset', { ref, on })
      const { limit } = find(ref)
      return put(ref, { resumeAtReset: on, ...(limit ? { limit: { ...limit, resume: on, resumeAt: on ? limit.lifts : null } } : {}) })
    },
    async cancelResume(ref) {
      called('cancelResume', ref)
      const { limit } = find(ref)
      return put(ref, limit ? { limit: { ...limit, resumeAt: null } } : {})
    },
    async setCapture(ref, on) { called('setCapture', { ref, on }); return put(ref, { capture: on }) },
  }
}
