import { serverToolCodecOf } from '../../protocol/server-tools.ts'
import type { Turn } from '../turn.ts'

/** The most bytes of all sessions' last lists of tools together. */
const mostBytes = 4 * 1024 * 1024

/** Remembers the tools of sessions: a reminder needs tools even where its request has none. */
export interface KeptTools {
  /** @returns the session's last tools where the turn has none; null: it has its own, or never had any */
  note(sessionId: string, turn: Turn): Buffer | null
}

export function createKeptTools(): KeptTools {
  const kept = new Map<string, Buffer>()
  let bytes = 0
  const drop = (sessionId: string) => {
    bytes -= kept.get(sessionId)?.length ?? 0
    kept.delete(sessionId)
  }
  return {
    note(sessionId, { draft: { lens }, call }) {
      const last = kept.get(sessionId) ?? null
      // Nearly always the same list again, which a comparison shows without parsing.
      const at = lens.place('tools')
      if (at && last?.equals(lens.body.subarray(at.start, at.end))) return null
      const tools = serverToolCodecOf(call.entry).toolsAsSent(lens)
      if (!tools) return last
      drop(sessionId)
      kept.set(sessionId, tools)
      bytes += tools.length
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes || oldest === sessionId) break
        drop(oldest)
      }
      return null
    },
  }
}
