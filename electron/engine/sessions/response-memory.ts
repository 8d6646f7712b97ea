/** Which session an answer belonged to, for requests that only name the answer before them. Bounded: the oldest goes. */
export interface ResponseMemory {
  remember(responseId: string, sessionId: string): void
  sessionOf(responseId: string): string | null
}

export function responseMemory(limit = 5000): ResponseMemory {
  const sessions = new Map<string, string>()
  return {
    remember(responseId, sessionId) {
      sessions.delete(responseId)
      sessions.set(responseId, sessionId)
      const oldest = sessions.size > limit ? sessions.keys().next() : null
      if (oldest && !oldest.done) sessions.delete(oldest.value)
    },
    sessionOf: (responseId) => sessions.get(responseId) ?? null,
  }
}
