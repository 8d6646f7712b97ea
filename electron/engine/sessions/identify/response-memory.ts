import { putNewest } from '../../base/newest.ts'

/**
 * Remembers the session of each answer, for requests that only name the answer before them. Bounded: the oldest goes.
 */
export interface ResponseMemory {
  remember(responseId: string, sessionId: string): void
  sessionOf(responseId: string): string | null
}

export function responseMemory(limit = 5000): ResponseMemory {
  const sessions = new Map<string, string>()
  return {
    remember: (responseId, sessionId) => putNewest(sessions, responseId, sessionId, limit),
    sessionOf: (responseId) => sessions.get(responseId) ?? null,
  }
}
