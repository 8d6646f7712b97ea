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
  /**
   * True if something answers where the engine was. Asked before each new socket: browsers hold new WebSockets back for
   * seconds after many that failed (Chromium's services/network/websocket_throttler.cc), and nothing else.
   */
  answers(): Promise<boolean>
  now(): number
  /** runs once after `ms`; returns what takes it back */
  after(ms: number, run: () => void): () => void
  onLink(link: Link): void
  onUpdate(update: EngineUpdate): void
}

/**
 * Milliseconds before each attempt: an engine that restarts is back within a second or two, one that lets answers run
 * to their ends within a minute or two, and its page soon after it.
 */
const delays = [300, ...Array<number>(40).fill(250), ...Array<number>(220).fill(500), 1000, 2000, 3000, 5000]
/** After so many attempts an engine that did not say goodbye counts as stopped too. */
const attemptsUntilStopped = 2

/** of a connection that ended without a close frame (RFC 6455, 7.4.1) */
const lostCode = 1006

const saysGoodbye = (code: number): boolean => code === closeCodes.engineEnds

export function connect({ open, answers, now, after, onLink, onUpdate }: ConnectOptions): Connection {
  let socket: Socket | null = null
  let live = false
  let disposed = false
  let attempts = 0
  let goodbye = false
  let lostAt: number | null = null
  let cancelRetry: (() => void) | null = null

  const tryAgain = async () => {
    cancelRetry?.()
    cancelRetry = null
    const there = await answers()
    if (disposed) return
    if (there) attempt()
    else closed(lostCode)
  }
  const attempt = () => {
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
    lostAt ??= now()
    if (code === closeCodes.refused) return onLink({ kind: 'refused', token: 'wrong', at: lostAt })
    if (code === closeCodes.stranger) return onLink({ kind: 'refused', token: 'stranger', at: lostAt })
    goodbye ||= saysGoodbye(code)
    const delay = delays[Math.min(attempts, delays.length - 1)] ?? 0
    const stopped = goodbye || attempts >= attemptsUntilStopped
    attempts++
    cancelRetry = after(delay, () => void tryAgain())
    onLink({ kind: stopped ? 'stopped' : 'lost', at: lostAt, retryAt: now() + delay })
  }

  attempt()
  return {
    client: () => (live ? (socket?.client ?? null) : null),
    retryNow() {
      if (!disposed && cancelRetry) void tryAgain()
    },
    dispose() {
      disposed = true
      cancelRetry?.()
      socket?.dispose()
      socket = null
    },
  }
}
