/** The outcome of a step, in a line that stays when the step is closed. */
import type { ProviderTrial } from '../../shared/setup/first-run.ts'
import type { Words } from '../i18n/index.ts'

export type ModelsOutcome =
  | { kind: 'tried'; provider: string; trial: ProviderTrial }
  | { kind: 'login'; provider: string }
  | { kind: 'simulator' }

export function modelsSaid(outcome: ModelsOutcome, { w, s, f }: Pick<Words, 'w' | 's' | 'f'>): string {
  const t = w.firstRun.models
  if (outcome.kind === 'simulator') return t.simulated
  if (outcome.kind === 'login') return t.loginAdded(outcome.provider)
  const { provider, trial } = outcome
  if (trial.test.kind === 'failed') return t.noAnswer(provider, s.notAnswered({ provider, test: trial.test }))
  if (trial.test.model === '') return t.listed(provider, trial.test.models.length)
  return t.answered(provider, trial.test.model, f.took(trial.test.tookMs))
}

export type StepName = 'models' | 'agents' | 'demo'

/** Kept with the page, so that it is found again as it was left. */
export interface FirstRunState {
  open: StepName
  models: ModelsOutcome | null
  /** the terminal of the demo that was started last */
  demo: string | null
}
export const firstRunStart: FirstRunState = { open: 'models', models: null, demo: null }
