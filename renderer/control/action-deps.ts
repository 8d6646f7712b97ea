import type { Answer, Input, OperationName } from '../../shared/operations/index.ts'
import type { FolderChecks } from '../../shared/review.ts'
import type { RoutingView } from '../../shared/routing.ts'
import type { EngineStatus } from '../../shared/state.ts'
import type { Words } from '../i18n/index.ts'
import type { Toasts } from '../parts/toasts.ts'
import type { Outcome } from './outcome.ts'
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
  /** an answer's checks of a session's folder, before the engine sends them to all viewers */
  onChecks(session: string, checks: FolderChecks): void
}

type Ask = <T>(question: (client: ControlClient) => Promise<T>) => Promise<Outcome<T>>

/** Helpers that the actions of every subject share. */
export interface Acting extends ActionDeps {
  ask: Ask
  /** as `ask`; a failure is shown in a toast */
  act: Ask
  /** does it and says so in a toast, which offers what takes it back; @param said null: nothing */
  perform<N extends OperationName>(
    name: N,
    input: Input<N>,
    said: (answer: Answer<N>) => string | null,
    asked?: Ask,
  ): Promise<Outcome<Answer<N>>>
  /** edits of the config go one after the other */
  inTurn<T>(edit: () => Promise<T>): Promise<T>
  /** @returns whether it was changed */
  routed(question: (client: ControlClient) => Promise<RoutingView>): Promise<boolean>
}
