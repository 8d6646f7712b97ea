import type { Actions } from '../control/actions.ts'
import type { EngineAction } from './engine.ts'

export async function loadAlarms(dispatch: (action: EngineAction) => void, ask: Actions['ask']): Promise<void> {
  const outcome = await ask((client) => client.alarms.query())
  if (outcome.ok) dispatch({ type: 'updates', updates: [{ type: 'alarms', alarms: outcome.value }] })
  else dispatch({ type: 'alarms-failed', message: outcome.problem.message })
}
