import type { Credential } from '../../shared/control/proof.ts'
import type { Fragment } from '../state/place.ts'

const key = 'onward-page'

/**
 * The part of `window.sessionStorage` that is used; it may be switched off in a browser, then the access lives in
 * memory only.
 */
export type TokenStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * How this page gets in: by the link it was opened with, once; else by the credential that was traded for it. The
 * latter is good for the engine process that gave it and for nothing else. That process holds this address for as long
 * as it lives, so a later server at the address reads a credential that no engine takes any more.
 * @returns null where there is none: the page then says how to get in
 */
export function takeToken(fragment: Fragment, store: TokenStore | null): Credential | null {
  return credentialOf(fragment.token) ?? credentialOf(store?.getItem(key) ?? null)
}

/** Keeps the credential that the link was traded for, so that a reload needs no new one. */
export const keepToken = (credential: Credential, store: TokenStore | null): void =>
  store?.setItem(key, `${credential.id}.${credential.key}`)

/** After a refusal, so that a reload asks for a link instead of trying the same again. */
export const forgetToken = (store: TokenStore | null): void => store?.removeItem(key)

/** `<id>.<key>`, as engine and page write it. A word of another form is tried as it is and refused by the engine. */
export function credentialOf(text: string | null): Credential | null {
  if (!text) return null
  const [id = '', secret = ''] = text.split('.')
  return { id: id || 'none', key: secret || 'none' }
}
