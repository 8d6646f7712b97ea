import type { TerminalChunk } from '../../../../shared/state.ts'

/** The viewers of each terminal's output. A host sends output only while there is a viewer. */
export interface Watchers {
  push(terminalId: string, chunk: TerminalChunk): void
  watched(terminalId: string): boolean
  follow(terminalId: string, signal: AbortSignal): AsyncIterable<TerminalChunk>
}

/** characters a slow viewer may lag behind before it starts again from a fresh screen */
const MOST_BEHIND = 4 * 1024 * 1024

interface Viewer {
  chunks: TerminalChunk[]
  behind: number
  wake(): void
  fresh: boolean
}

export function watchers(ask: (terminalId: string, on: boolean) => void): Watchers {
  const viewers = new Map<string, Set<Viewer>>()

  const put = (viewer: Viewer, chunk: TerminalChunk): boolean => {
    // A viewer without its first screen drops data: there is nothing to add it to.
    if (viewer.fresh && chunk.type === 'data') return true
    if (chunk.type === 'screen') viewer.fresh = false
    viewer.behind += 'data' in chunk ? chunk.data.length : 0
    if (viewer.behind > MOST_BEHIND) {
      viewer.chunks = []
      viewer.behind = 0
      viewer.fresh = true
      return false
    }
    const last = viewer.chunks.at(-1)
    if (last?.type === 'data' && chunk.type === 'data')
      viewer.chunks[viewer.chunks.length - 1] = { type: 'data', data: last.data + chunk.data }
    else viewer.chunks.push(chunk)
    viewer.wake()
    return true
  }

  return {
    watched: (terminalId) => viewers.has(terminalId),
    push(terminalId, chunk) {
      let lost = false
      for (const viewer of viewers.get(terminalId) ?? []) {
        // A screen is meant for new viewers; the others have theirs.
        if (chunk.type === 'screen' && !viewer.fresh) continue
        if (!put(viewer, chunk)) lost = true
      }
      if (lost) ask(terminalId, true)
    },
    async *follow(terminalId, signal) {
      const viewer: Viewer = { chunks: [], behind: 0, wake: () => undefined, fresh: true }
      const all = viewers.get(terminalId) ?? new Set()
      viewers.set(terminalId, all.add(viewer))
      const stop = () => viewer.wake()
      signal.addEventListener('abort', stop, { once: true })
      // Asked again for each viewer: every `watch` is answered with the screen as it is now.
      ask(terminalId, true)
      try {
        while (!signal.aborted) {
          if (viewer.chunks.length === 0)
            await new Promise<void>((resolve) => {
              viewer.wake = resolve
              if (signal.aborted) resolve()
            })
          const chunks = viewer.chunks
          viewer.chunks = []
          viewer.behind = 0
          for (const chunk of chunks) {
            yield chunk
            if (chunk.type === 'exit') return
          }
        }
      } finally {
        signal.removeEventListener('abort', stop)
        all.delete(viewer)
        if (all.size === 0) {
          viewers.delete(terminalId)
          ask(terminalId, false)
        }
      }
    },
  }
}
