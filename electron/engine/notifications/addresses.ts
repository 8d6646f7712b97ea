import type { OutsideConfig } from '../../../shared/config/notifications.ts'
import { topicOf } from '../../../shared/notifications.ts'
import { messageOf } from '../base/errors.ts'
import type { OutsideAddress } from './types.ts'

export type Address = { ok: true; value: OutsideAddress } | { ok: false; why: string }

/** Where each place is, with its secrets looked up. */
export interface Addresses {
  of(name: string): Promise<Address>
  /** without what makes it secret; null: not known (yet) */
  hostOf(name: string): string | null
  /** all are looked up */
  known: Promise<void>
}

export function addressesOf(
  places: readonly OutsideConfig[],
  secret: (ref: string) => Promise<string | null>,
): Addresses {
  const hosts = new Map<string, string>()
  const found = new Map(places.map((place) => [place.name, look(place)]))

  async function look(place: OutsideConfig): Promise<Address> {
    try {
      const url = place.url ?? (await stored(place.secretRef))
      const token = place.token ?? (place.tokenRef === undefined ? null : await stored(place.tokenRef))
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        return { ok: false, why: 'what is stored for it is no web address' }
      if (place.kind === 'ntfy' && topicOf(url) === null) return { ok: false, why: 'it names no topic' }
      hosts.set(place.name, new URL(url).host)
      return { ok: true, value: { url, token } }
    } catch (error) {
      return { ok: false, why: messageOf(error) }
    }
  }
  async function stored(ref: string | undefined): Promise<string> {
    const value = ref === undefined ? null : await secret(ref)
    if (value === null) throw new Error(`there is no stored secret “${ref ?? ''}”`)
    return value.trim()
  }

  return {
    of: async (name) => (await found.get(name)) ?? { ok: false, why: 'it is not in the config any more' },
    hostOf: (name) => hosts.get(name) ?? null,
    known: Promise.all(found.values()).then(() => undefined),
  }
}
