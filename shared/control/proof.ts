/**
 * How engine and caller prove to each other that they hold the same key, without ever sending it: each answers the
 * other's random nonce with an HMAC. Both ends import this, in Node and in the browser, so it is WebCrypto.
 */

/** The id a caller claims, and the key that proves it. Only `id` crosses the wire. */
export interface Credential {
  id: string
  key: string
  /** a paired device's: it proves itself with this, and `key` is what the engine proves itself with */
  own?: CryptoKey
}

/**
 * The data both sides have sent by the time proofs are made. A proof is good for this one exchange at this one path
 * only.
 */
export interface Exchange {
  path: string
  id: string
  callerNonce: string
  engineNonce: string
}

/** The id of every caller that can read the control token in the home: CLI, wrappers, terminal hosts, the desktop. */
export const homeId = 'home'

/**
 * The id of a caller that can read that token and speaks for another program: it may ask for less
 * (shared/operations/rights.ts). `terminal`: in which it runs, and of which alone it hears; null: in none of Onward's
 */
export const programId = (terminal: string | null): string => (terminal === null ? 'program' : `program-in-${terminal}`)
/** Undoes `programId`; null: this is no such id */
export function programOf(id: string): { terminal: string | null } | null {
  if (id === 'program') return { terminal: null }
  return id.startsWith('program-in-') ? { terminal: id.slice('program-in-'.length) } : null
}

/**
 * Close codes of proven sockets, 4000-4999 being free for applications (RFC 6455, 7.4.2). `stranger`: sent by the
 * caller because the engine did not prove itself.
 */
export const closeCodes = { engineEnds: 1001, refused: 4401, late: 4408, stranger: 4495 } as const

/** How long either side waits for the whole exchange. */
export const proveWithinMs = 5_000

export type AuthMessage =
  | { type: 'auth-hello'; id: string; nonce: string }
  | { type: 'auth-challenge'; nonce: string; proof: string }
  | { type: 'auth-proof'; proof: string }
  | { type: 'auth-ok' }

const label = 'onward control 1'
const nonceBytes = 32

/** Browsers have WebCrypto only at loopback addresses and over https. */
export const canProve = (): boolean => typeof globalThis.crypto?.subtle?.sign === 'function'

export const newNonce = (): string => base64url(globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes)))

export const proofOf = (key: string, by: 'engine' | 'caller', exchange: Exchange): Promise<string> =>
  sign(key, textOf(by, exchange))

/** Takes the same time wherever the two differ. */
export async function isProof(
  key: string,
  by: 'engine' | 'caller',
  exchange: Exchange,
  given: string,
): Promise<boolean> {
  const signature = bytesOf(given)
  if (!signature) return false
  return globalThis.crypto.subtle.verify('HMAC', await hmacKey(key), signature, encoded(textOf(by, exchange)))
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const
const signing = { name: 'ECDSA', hash: 'SHA-256' } as const

/** A key pair that never leaves this browser: its private half can be used but not read. */
export async function newDeviceKey(): Promise<{ own: CryptoKey; publicKey: string }> {
  const pair = await globalThis.crypto.subtle.generateKey(curve, false, ['sign', 'verify'])
  const raw = await globalThis.crypto.subtle.exportKey('raw', pair.publicKey)
  return { own: pair.privateKey, publicKey: base64url(new Uint8Array(raw)) }
}

/** A paired device sends this instead of a caller's proof. */
export async function signatureOf(own: CryptoKey, exchange: Exchange): Promise<string> {
  const text = encoded(textOf('device', exchange))
  return base64url(new Uint8Array(await globalThis.crypto.subtle.sign(signing, own, text)))
}

export async function isSignature(publicKey: string, exchange: Exchange, given: string): Promise<boolean> {
  const [key, signature] = [await deviceKey(publicKey), bytesOf(given)]
  if (!key || !signature) return false
  return globalThis.crypto.subtle.verify(signing, key, signature, encoded(textOf('device', exchange)))
}

/** null: that is no point of the curve */
export async function deviceKey(publicKey: string): Promise<CryptoKey | null> {
  const raw = bytesOf(publicKey)
  return raw && globalThis.crypto.subtle.importKey('raw', raw, curve, false, ['verify']).catch(() => null)
}

/**
 * Derives a page's credential from an exchange: both ends do, so it is never sent. `page`: in its tab's storage, for a
 * reload, good for this process. `tab`: in the running page's memory alone, where a later server at the address can't
 * read it; good for the next engines of the home at this address, too. `device`: what a device goes by from its pairing
 * on, and what the engine proves itself to it with.
 */
export async function pageCredential(
  key: string,
  exchange: Exchange,
  of: 'page' | 'tab' | 'device' = 'page',
): Promise<Credential> {
  const signed = (what: 'id' | 'key') => sign(key, textOf(`${of} ${what}`, exchange))
  return { id: await signed('id'), key: await signed('key') }
}

/** No part holds a line break: ids and nonces are base64url, paths are ours. */
const textOf = (purpose: string, { path, id, callerNonce, engineNonce }: Exchange): string =>
  [label, purpose, path, id, callerNonce, engineNonce].join('\n')

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const hmacKey = (key: string): Promise<CryptoKey> =>
  globalThis.crypto.subtle.importKey('raw', encoded(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

async function sign(key: string, text: string): Promise<string> {
  return base64url(new Uint8Array(await globalThis.crypto.subtle.sign('HMAC', await hmacKey(key), encoded(text))))
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  } catch (error) {
    // a length that no base64 has
    if (error instanceof DOMException) return null
    throw error
  }
}
