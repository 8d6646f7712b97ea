import type { Random } from '../../base/ids.ts'
import { createPageAccess, pageOrigin, type PageAccess } from '../../control/page-access.ts'
import type { Listeners } from '../listeners.ts'

/** The windows that show the dashboard in a browser. */
export interface Pages {
  access: PageAccess
  /** good for one window */
  link(): string
  /** signs all of them out */
  endAll(): void
  /** the listeners are there: pages are at the very address that is listened on */
  opened(listeners: Pick<Listeners, 'address' | 'signOutPages'>): void
}

/** @param address as configured: until the listeners are open */
export function openPages(random: Random, address: Listeners['address']): Pages {
  const access = createPageAccess(random)
  let at = address
  /** nobody is connected before the listeners are open */
  let signOut = () => undefined as void
  return {
    access,
    link: () => `${pageOrigin(at)}/dashboard/~${random.token(9)}/#token=${access.newLink()}`,
    endAll() {
      access.endAll()
      // a moment later: whoever asked hears that it is done
      setImmediate(() => signOut())
    },
    opened(listeners) {
      at = listeners.address
      signOut = listeners.signOutPages
    },
  }
}
