import type { RoutingView } from '../../shared/routing.ts'
import type { EngineStatus } from '../../shared/state.ts'
import type { Words } from '../i18n/index.ts'
import type { Toasts } from '../parts/toasts.ts'
import type { GoalActionDeps } from './goal-actions.ts'
import type { ControlClient } from './socket.ts'

export interface ActionDeps {
  client(): ControlClient | null
  toasts: Toasts
  words(): Words
  /** the engine's time, epoch milliseconds */
  now(): number
  clipboard: Pick<Clipboard, 'writeText'> | null
  /** the routing after an edit, before the engine sends it to all viewers */
  onRouting(routing: RoutingView): void
  onServertools(servertools: NonNullable<EngineStatus['servertools']>): void
  onChecks: GoalActionDeps['onChecks']
}
