/**
 * What a program may ask for that speaks for itself (`onward mcp`, the gateway's `/mcp`): the operations of
 * shared/operations/rights.ts, and where it runs in a terminal of Onward's, of the session of that terminal only.
 */
import type { ControlApi } from '../../../shared/operations/index.ts'
import { programMay } from '../../../shared/operations/rights.ts'
import { OnwardError } from '../base/errors.ts'
import type { Terminal } from '../sessions/binding/terminal.ts'
import type { ProgramOrders } from './api/program-orders.ts'
import { createSaid } from './programs/said.ts'
import { ownSession } from './programs/own-session.ts'

export interface ProgramsDeps {
  api: ControlApi
  orders: ProgramOrders
  /** the terminal itself, or the one that took over what is bound to it */
  holderOf(terminalId: string): Pick<Terminal, 'terminalId' | 'sessionId'> | null
  /** epoch milliseconds */
  now(): number
}

export interface Programs {
  /** `terminal`: the one it runs in; null: it runs in none of Onward's */
  contextOf(terminal: string | null): { api: ControlApi; check(operation: string): void }
}

export function createPrograms({ api, orders, holderOf, now }: ProgramsDeps): Programs {
  const said = createSaid(now)
  const check = (operation: string) => {
    if (!programMay(operation))
      throw new OnwardError(
        'program-may-not',
        'Another program may not do this. Do it in the dashboard or with the command line.',
        { status: 403, details: { operation } },
      )
  }
  return {
    contextOf(terminal) {
      const { reportOf, ...more } = orders
      const ofPrograms: ControlApi = { ...api, ...more }
      const bounded: ControlApi = { ...ofPrograms, say: said.bounded(ofPrograms, terminal === null ? 'other' : 'own') }
      return {
        check,
        api: terminal === null ? bounded : ownSession(bounded, { own: () => ownId(holderOf(terminal)), reportOf }),
      }
    },
  }
}

/** A terminal that has had no turn yet stands for the conversation it will have. */
function ownId(holder: Pick<Terminal, 'terminalId' | 'sessionId'> | null): string {
  if (holder) return holder.sessionId ?? holder.terminalId
  throw new OnwardError('terminal-unknown', 'The terminal that this program runs in is not known any more.', {
    status: 404,
  })
}
