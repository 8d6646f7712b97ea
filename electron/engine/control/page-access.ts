/**
 * Access of dashboard pages to the control API over TCP. A link's key is good for one exchange. From each exchange page
 * and engine derive what the page goes on with (shared/control/proof.ts): a key for its reloads, which lives in memory
 * and ends with this process, and one for the engines that come after this one, which the home keeps. The latter never
 * goes where a process that takes the port of a dead engine could read it, and counts only at the address it was given
 * at, so that no one can sit between a page and an engine that came back elsewhere.
 */
import { z } from 'zod'
import { pageCredential } from '../../../shared/control/proof.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import type { Keys } from '../base/network/admit.ts'
import type { Random } from '../base/ids.ts'

export interface PageAccess {
  keys: Keys
  /** `<id>.<key>`, as it stands in a link's fragment */
  newLink(): string
  /** ends every page's access and every link that was not used yet */
  endAll(): void
}

/** The home's record of open tabs. */
export interface KeptTabs {
  /** null: nothing that could be read */
  read(): string | null
  /** @throws where it can't be written */
  write(text: string): void
  failed(error: unknown): void
}

const idBytes = 16
const keyBytes = 32
/** Beyond these the oldest goes first: a link that was never opened, or the page that was opened longest ago. */
const mostLinks = 64
const mostPages = 256

const kept = z.object({ at: z.string(), tabs: z.array(z.tuple([z.string(), z.string()])).max(mostPages) })

/** @param at where pages find this engine: tabs that earlier ones let in elsewhere count no more */
export function createPageAccess(random: Random, at: string, file: KeptTabs): PageAccess {
  const links = new Map<string, string>()
  const pages = new Map<string, string>()
  const before = kept.safeParse(parseJson(file.read() ?? '')).data
  const tabs = new Map(before?.at === at ? before.tabs : [])
  let ended = 0
  const keep = () => {
    try {
      file.write(JSON.stringify({ at, tabs: Array.from(tabs) }))
    } catch (error) {
      file.failed(error)
    }
  }
  return {
    keys: {
      keyOf: (id) => links.get(id) ?? pages.get(id) ?? tabs.get(id) ?? null,
      async admitted(exchange) {
        const { id } = exchange
        const link = links.get(id)
        const key = link ?? pages.get(id) ?? tabs.get(id)
        if (key === undefined) return null
        // at once: a second caller that is in the middle of its proof comes too late
        links.delete(id)
        const before = ended
        const [page, tab] = await Promise.all([pageCredential(key, exchange), pageCredential(key, exchange, 'tab')])
        if (before !== ended) return null
        if (pages.has(id)) keepNewest(pages, id, key, mostPages)
        else keepNewest(pages, page.id, page.key, mostPages)
        if (tabs.has(id)) keepNewest(tabs, id, key, mostPages)
        else keepNewest(tabs, tab.id, tab.key, mostPages)
        keep()
        if (link === undefined) return null
        return () => {
          if (before !== ended) return
          pages.delete(page.id)
          tabs.delete(tab.id)
          keepNewest(links, id, link, mostLinks)
          keep()
        }
      },
    },
    newLink() {
      const id = random.token(idBytes)
      const key = random.token(keyBytes)
      keepNewest(links, id, key, mostLinks)
      return `${id}.${key}`
    },
    endAll() {
      ended++
      links.clear()
      pages.clear()
      tabs.clear()
      keep()
    },
  }
}

/**
 * Returns where a browser of this machine finds the dashboard. An engine that listens everywhere is reached by
 * loopback: browsers have WebCrypto there, and not at 0.0.0.0.
 */
export function pageOrigin({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Puts it last; the first ones go when there are too many. */
function keepNewest(map: Map<string, string>, id: string, key: string, most: number): void {
  map.delete(id)
  map.set(id, key)
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
