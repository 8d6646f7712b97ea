/**
 * Who may use the control API over TCP: dashboard pages. A link's key is good for one exchange and traded in it for a
 * key that only that page and this process know. All of it lives in memory: whoever takes the port after this process
 * has ended finds nothing that is good for anything.
 */
import { pageCredential, type Credential } from '../../../shared/control/proof.ts'
import type { Keys } from '../base/admit.ts'
import type { Random } from '../base/ids.ts'

export interface PageAccess {
  keys: Keys
  /** `<id>.<key>`, as it stands in a link's fragment */
  newLink(): string
  /** ends every page's access and every link that was not used yet */
  endAll(): void
}

const idBytes = 16
const keyBytes = 32
/** The oldest goes first: a link that nobody opened, a page that was not opened again for so many others. */
const mostLinks = 64
const mostPages = 256

export function createPageAccess(random: Random): PageAccess {
  const links = new Map<string, string>()
  const pages = new Map<string, string>()
  let ended = 0
  return {
    keys: {
      keyOf: (id) => links.get(id) ?? pages.get(id) ?? null,
      async admitted(exchange) {
        const key = links.get(exchange.id)
        if (key === undefined) return keepNewest(pages, exchange.id, pages.get(exchange.id) ?? null, mostPages)
        // at once: a second caller that is in the middle of its proof comes too late
        links.delete(exchange.id)
        const before = ended
        const page: Credential = await pageCredential(key, exchange)
        if (before === ended) keepNewest(pages, page.id, page.key, mostPages)
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
    },
  }
}

/**
 * Where a browser of this machine finds the dashboard. An engine that listens everywhere is named by loopback: browsers
 * have WebCrypto there, and not at 0.0.0.0.
 */
export function pageOrigin({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Puts it last; the first ones go when there are too many. */
function keepNewest(map: Map<string, string>, id: string, key: string | null, most: number): void {
  map.delete(id)
  if (key === null) return
  map.set(id, key)
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
