/** Agents that a person started in tmux by hand, before Onward knows their panes. */
import { z } from 'zod'
import type { ClientKind } from '../words.ts'

/** A tmux pane with an agent in front that may be registered. */
export interface AdoptablePane {
  socket: string
  /** unique on its tmux server only */
  paneId: string
  /** the process that tmux made the pane for: a server that was started anew gives the same id to another one */
  pid: number
  client: ClientKind
  /** the tmux session it stands in */
  tmuxSession: string
  cwd: string | null
  /** the program in front */
  command: string
}

const socket = z.string().min(1).max(4_096).startsWith('/')

/** `sockets`: tmux servers to look on besides those that the engine knows */
export const adoptablePanesInput = z.object({ sockets: z.array(socket).max(20).default([]) })
/** a pane as it was listed */
export const adoptPaneInput = z.object({
  socket,
  paneId: z.string().regex(/^%\d+$/),
  pid: z.number().int().positive(),
})

export type AdoptablePanesInput = z.infer<typeof adoptablePanesInput>
export type AdoptPaneInput = z.infer<typeof adoptPaneInput>
