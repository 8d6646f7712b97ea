/** Keeps one connection to the engine: opens it, follows its updates, opens it again when it is lost. */
import { closeCodes } from '../../shared/control/proof.ts'
import type { EngineUpdate } from '../../shared/state.ts'
import type { Link } from '../state/engine.ts'
import type { ControlClient, OpenSocket, Socket } from './socket.ts'

export interface Connection {
  /** null while there is none: a call made now is refused at once rather than carried out minutes later */
  client(): ControlClient | null
  /** tries again at once instead of waiting for the next attempt */
  retryNow(): void
  dispose(): void
}

export interface ConnectOptions {
  open: OpenSocket
  now(): number
  /** runs once after `ms`; returns what takes it back */
  after(ms: number, run: () => void): () => void
  onLink(link: Link): void
  onUpdate(update: EngineUpdate): void
}

/** Milliseconds before each attempt: quick at first, an engine that restarts is back within a second or two. */
const delays = [300, 1000, 2000, 3000, 5000]
/** After so many attempts an engine that did not say goodbye counts as stopped too. */
const attemptsUntilStopped = 2

const saysGoodbye = (code: number): boolean => code === closeCodes.engineEnds

export function connect({ open, now, after, onLink, onUpdate }: ConnectOptions): Connection {
  let socket: Socket | null = null
  let live = false
  let disposed = false
  let attempts = 0
  let goodbye = false
  let lostAt: number | null = null
  let cancelRetry: (() => void) | null = null

  const attempt = () => {
    cancelRetry?.()
    cancelRetry = null
    live = false
    const opened = open({
      onUpdate(update) {
        if (socket !== opened) return
        if (!live) {
          live = true
          attempts = 0
          goodbye = false
          lostAt = null
          onLink({ kind: 'live' })
        }
        onUpdate(update)
      },
      onClose: (code) => {
        if (socket === opened) closed(code)
      },
    })
    socket = opened
  }
  const closed = (code: number) => {
    socket?.dispose()
    socket = null
    live = false
    if (disposed) return
    if (code === closeCodes.refused) return onLink({ kind: 'refused', token: 'wrong' })
    if (code === closeCodes.stranger) return onLink({ kind: 'refused', token: 'stranger' })
    goodbye ||= saysGoodbye(code)
    lostAt ??= now()
    const delay = delays[Math.min(attempts, delays.length - 1)] ?? 0
    const stopped = goodbye || attempts >= attemptsUntilStopped
    attempts++
    cancelRetry = after(delay, attempt)
    onLink({ kind: stopped ? 'stopped' : 'lost', at: lostAt, retryAt: now() + delay })
  }

  attempt()
  return {
    client: () => (live ? (socket?.client ?? null) : null),
    retryNow() {
      if (!disposed && cancelRetry) attempt()
    },
    dispose() {
      disposed = true
      cancelRetry?.()
      socket?.dispose()
      socket = null
    },
  }
}
