import type { EngineStatus, EngineUpdate, SessionView } from '../../shared/state.ts'

/** What the desktop needs of an engine, be it its own or one it attached to. */
export interface EngineLink {
  dashboardUrl: string
  follow(signal: AbortSignal): AsyncIterable<EngineUpdate>
  pause(session: string | null): Promise<void>
  resume(session: string | null): Promise<void>
  rearm(session: string): Promise<unknown>
  /** its own engine ends with the app; one attached to goes on */
  owned: boolean
  dispose(): Promise<void>
}

/** The engine's picture as the desktop keeps it. */
export interface Picture { status: EngineStatus | null; sessions: ReadonlyMap<string, SessionView>; agents: readonly string[] }

/** Follows an engine and tells after every change; ends when the signal aborts or the engine goes. */
export async function followPicture(link: EngineLink, signal: AbortSignal, onChange: (picture: Picture, update: EngineUpdate) => void): Promise<void> {
  let status: EngineStatus | null = null
  const sessions = new Map<string, SessionView>()
  const terminals = new Map<string, string>()
  for await (const update of link.follow(signal)) {
    switch (update.type) {
      case 'snapshot':
        status = update.status
        sessions.clear()
        terminals.clear()
        for (const session of update.sessions) sessions.set(session.id, session)
        for (const t of update.terminals) if (t.alive) terminals.set(t.id, t.name)
        break
      case 'status': status = update.status; break
      case 'session': sessions.set(update.session.id, update.session); break
      case 'session-removed': sessions.delete(update.id); break
      case 'terminal':
        if (update.terminal.alive) terminals.set(update.terminal.id, update.terminal.name)
        else terminals.delete(update.terminal.id)
        break
      case 'terminal-removed': terminals.delete(update.id); break
      case 'event':
      case 'notice': break
    }
    onChange({ status, sessions, agents: Array.from(terminals.values()) }, update)
  }
}
