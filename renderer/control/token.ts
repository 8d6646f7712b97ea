import type { Fragment } from '../state/place.ts'

const key = 'onward-control-token'

/**
 * What of `window.sessionStorage` is used; it may be switched off in a browser, then the token lives in memory only.
 */
export type TokenStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The control token: taken from the address once, kept for this window's life, never put back into the address.
 * @returns null where there is none: the page then says how to get in
 */
export function takeToken(fragment: Fragment, store: TokenStore | null): string | null {
  if (fragment.token) store?.setItem(key, fragment.token)
  return fragment.token ?? (store?.getItem(key) || null)
}

/** After a refusal, so that a reload asks for a link instead of trying the same token again. */
export const forgetToken = (store: TokenStore | null): void => store?.removeItem(key)
