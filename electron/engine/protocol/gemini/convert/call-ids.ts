/**
 * Ids of the calls in a client's history. Gemini's calls may have none: then an id is made from the call's place in the
 * history, which stays the same in every later request of the conversation.
 */
export interface CallIds {
  call(id: string | null, name: string): string
  /**
   * finds the call that a result answers: by id, else the oldest open one of that name; without either, the oldest open
   * one
   */
  result(id: string | null, name: string | null): { id: string; name: string | null }
}

export function callIds(): CallIds {
  const open: { id: string; name: string }[] = []
  let count = 0
  return {
    call(id, name) {
      count++
      const call = { id: id ?? `call_gemini_${count}`, name }
      open.push(call)
      return call.id
    },
    result(id, name) {
      const byId = id === null ? -1 : open.findIndex((call) => call.id === id)
      const byName = byId >= 0 || name === null ? byId : open.findIndex((call) => call.name === name)
      const [call] = byName >= 0 ? open.splice(byName, 1) : name === null && id === null ? open.splice(0, 1) : []
      if (call) return { id: call.id, name: call.name }
      count++
      return { id: id ?? `call_gemini_${count}`, name }
    },
  }
}
