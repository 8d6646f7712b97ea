import type { BudgetSetting } from '../../../shared/policy/policy.ts'

const budgets: Readonly<Record<BudgetSetting, (most: string) => string>> = {
  rounds: (most) => `${most} rounds`,
  hours: (most) => `${most} hours`,
  noProgressRounds: (most) => `${most} rounds without progress`,
  tokens: (most) => `${most} tokens`,
  costUsd: (most) => `${most} dollars`,
}

/** What an organisation holds here. */
export const policy = {
  title: 'Set by your organisation',
  by: (name: string) => `${name} sets these rules. The config can narrow them, and not widen them.`,
  byNobody: 'Rules that the config can narrow, and not widen.',
  ask: (contact: string) => `Questions: ${contact}`,
  source: 'Rules',
  providers: 'Providers',
  anyModel: 'every model',
  onlySimulator: 'none but the built-in simulator',
  budgets: 'Goals ask after',
  budget: budgets,
  tools: 'Tools',
  noTool: 'none',
  fleets: 'Fleets',
  noFleet: 'none may be joined',
  telemetry: 'Telemetry',
  phones: 'Phones',
  off: 'off',
  bounded: 'Held otherwise than in the config',
  most: (most: string) => `Set by your organisation: ${most} at most`,
  phonesOff: 'Set by your organisation: no phone may pair or connect.',
  broken: 'The rules of your organisation can’t be read.',
}
