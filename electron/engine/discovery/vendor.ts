import { providerPresets, presetOf } from '../../../shared/config/presets.ts'
import type { Vendor } from './types.ts'

/** A vendor that is known by name; the presets are ours, so an unknown one is a mistake of ours. */
export function vendorOf(presetId: string): Vendor {
  const preset = presetOf(presetId)
  if (!preset || preset.type === 'simulator') throw new Error(`no preset ${presetId}`)
  const { id, name, type, baseUrl, auth } = preset
  return { id, name, type, baseUrl, header: type === 'anthropic' && auth === 'bearer' ? 'bearer' : null }
}

/**
 * A vendor by its address: that of a preset, else one named after its host.
 *
 * @param bearer the key is one that its tool sends as a bearer token
 */
export function vendorAt(baseUrl: string, type: Vendor['type'], bearer = false): Vendor | null {
  const plain = baseUrl.trim().replace(/\/+$/, '')
  if (!URL.canParse(plain) || !/^https?:$/.test(new URL(plain).protocol)) return null
  // An address that carries a password is a secret itself.
  if (new URL(plain).username !== '' || new URL(plain).password !== '') return null
  const known = providerPresets.find((p) => sameAddress(p.baseUrl, plain) && family(p.type) === family(type))
  if (known) return { ...vendorOf(known.id), ...(type === known.type ? {} : { type }) }
  const { hostname } = new URL(plain)
  const id = hostname
    .replace(/^(?:api|www)\./, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 48)
  return { id, name: hostname, type, baseUrl: plain, header: type === 'anthropic' && bearer ? 'bearer' : null }
}

const family = (type: string) => (type.startsWith('openai') ? 'openai' : type)

/** Messages clients are given addresses without `/v1`, by some of their tools with it. */
export const sameAddress = (a: string, b: string): boolean => bare(a) === bare(b)
const bare = (url: string) =>
  url
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\/v1(?:beta)?$/, '')
