import type { Actions } from '../control/actions.ts'
import type { EngineAction } from './engine.ts'

export async function loadProviders(dispatch: (action: EngineAction) => void, ask: Actions['ask']): Promise<void> {
  const outcome = await ask(async (client) => ({
    providers: await client.providers.query(),
    routing: await client.routing.query(),
  }))
  if (outcome.ok) dispatch({ type: 'updates', updates: [{ type: 'providers', ...outcome.value }] })
  else dispatch({ type: 'providers-failed', message: outcome.problem.message })
}

export async function loadAlarms(dispatch: (action: EngineAction) => void, ask: Actions['ask']): Promise<void> {
  const outcome = await ask((client) => client.alarms.query())
  if (outcome.ok) dispatch({ type: 'updates', updates: [{ type: 'alarms', alarms: outcome.value }] })
  else dispatch({ type: 'alarms-failed', message: outcome.problem.message })
}
