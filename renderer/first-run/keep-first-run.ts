/** How far the first steps have come, kept in this browser: a reload or another window finds them as they were left. */
import type { StoreApi } from 'zustand/vanilla'
import type { EngineState } from '../state/engine.ts'
import type { UiStore } from '../state/ui.ts'
import { firstRunStart, type FirstRunState, type ModelsOutcome } from './outcome.ts'

const key = 'onward-first-run'

/**
 * Compared with the engine, which knows better: a provider that is gone, and a demo it has never heard of, are
 * forgotten.
 */
export function keepFirstRun(
  ui: UiStore,
  engine: StoreApi<EngineState>,
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
): void {
  ui.setState({ firstRun: firstRunOf(storage?.getItem(key) ?? null) })
  let kept = ui.getState().firstRun
  ui.subscribe(({ firstRun }) => {
    if (firstRun === kept) return
    kept = firstRun
    storage?.setItem(key, JSON.stringify(firstRun))
  })
  const stop = engine.subscribe((state) => {
    if (state.status === null) return
    stop()
    ui.setState(({ firstRun }) => ({ firstRun: heldAgainst(firstRun, state) }))
  })
}

export function heldAgainst(
  firstRun: FirstRunState,
  { status, terminals, sessions }: Pick<EngineState, 'status' | 'terminals' | 'sessions'>,
): FirstRunState {
  const { models, demo } = firstRun
  const there =
    models === null ||
    (models.kind === 'simulator'
      ? status?.simulator === true
      : status?.providers.some(({ id }) => id === models.provider) === true)
  const known =
    demo === null || terminals.has(demo) || [...sessions.values()].some(({ terminalId }) => terminalId === demo)
  return there && known ? firstRun : { ...firstRun, models: there ? models : null, demo: known ? demo : null }
}

/** The kept text may be of another version, or written by hand: parts that do not fit are ignored. */
export function firstRunOf(kept: string | null): FirstRunState {
  const value = parsed(kept)
  const steps = ['models', 'agents', 'demo'] as const
  return {
    open: steps.find((step) => 'open' in value && step === value.open) ?? firstRunStart.open,
    models: 'models' in value ? modelsOf(value.models) : null,
    demo: 'demo' in value && typeof value.demo === 'string' ? value.demo : null,
  }
}

/** Only the fact that a test was answered is kept; the engine's list of providers has the rest. */
function modelsOf(value: unknown): ModelsOutcome | null {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null
  if (value.kind === 'simulator') return { kind: 'simulator' }
  if (!('provider' in value) || typeof value.provider !== 'string') return null
  if (value.kind === 'login') return { kind: 'login', provider: value.provider }
  const test = 'trial' in value ? answeredOf(value.trial) : null
  return test && { kind: 'tried', provider: value.provider, trial: { test, routed: null } }
}

function answeredOf(trial: unknown) {
  const test = typeof trial === 'object' && trial !== null && 'test' in trial ? trial.test : null
  if (typeof test !== 'object' || test === null || !('kind' in test) || test.kind !== 'answered') return null
  if (!('model' in test) || typeof test.model !== 'string') return null
  const took = 'tookMs' in test && typeof test.tookMs === 'number' ? test.tookMs : 0
  const listed = 'models' in test && Array.isArray(test.models) ? test.models : []
  const models = listed.filter((model): model is string => typeof model === 'string')
  return { kind: 'answered', model: test.model, key: null, ttfbMs: took, tookMs: took, models } as const
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
