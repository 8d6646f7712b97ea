import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, systemCodeOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { createPageAccess, pageOrigin, type KeptTabs, type PageAccess } from '../../control/page-access.ts'
import type { EngineHost } from '../../host.ts'
import type { Listeners } from '../listeners.ts'

/** The windows that show the dashboard in a browser. */
export interface Pages {
  access: PageAccess
  /** good for one window */
  link(): string
  /** the address of a page of its own at this origin, without what lets it in */
  pageAt(origin: string): string
  origin(): string
  /** signs all of them out */
  endAll(): void
  /** the listeners are there: pages are at the very address that is listened on */
  opened(listeners: Pick<Listeners, 'address' | 'signOutPages'>): void
}

/** @param address as configured: until the listeners are open */
export function openPages({ home, random, log }: EngineHost, address: Listeners['address']): Pages {
  const access = createPageAccess(random, pageOrigin(address), tabsFile(home, log))
  let at = address
  /** no page is connected before the listeners are open */
  let signOut = () => undefined as void
  const pageAt = (origin: string) => `${origin}/dashboard/~${random.token(9)}/`
  const origin = () => pageOrigin(at)
  return {
    access,
    pageAt,
    origin,
    link: () => `${pageAt(origin())}#token=${access.newLink()}`,
    endAll() {
      access.endAll()
      // a moment later, so that the page that asked for it still gets its answer
      setImmediate(() => signOut())
    },
    opened(listeners) {
      at = listeners.address
      signOut = listeners.signOutPages
    },
  }
}

/** `tabs.json` in the home, for its owner alone. A tab that is not in it needs a new link, nothing worse. */
function tabsFile(home: string, log: Log): KeptTabs {
  const file = join(home, 'tabs.json')
  const failed = (error: unknown) => log.warn({ error: messageOf(error) }, 'open tabs need a new link after a restart')
  return {
    failed,
    read() {
      try {
        return readFileSync(file, 'utf8')
      } catch (error) {
        if (systemCodeOf(error) !== 'ENOENT') failed(error)
        return null
      }
    },
    write(text) {
      const aside = `${file}.${process.pid}`
      writeFileSync(aside, text, { mode: 0o600 })
      renameSync(aside, file)
    },
  }
}
