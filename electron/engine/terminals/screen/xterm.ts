import * as headless from '@xterm/headless'
import * as serialize from '@xterm/addon-serialize'

/**
 * Both packages are CommonJS whose names Node can't detect: natively only `default` is there, a bundler gives the
 * names.
 */
function unwrapped<T extends object>(namespace: T): T {
  const inner: unknown = 'default' in namespace ? namespace.default : null
  // the default export of a CommonJS module is the module itself, hence of the same type
  return typeof inner === 'object' && inner !== null ? (inner as T) : namespace
}

export const Terminal = unwrapped(headless).Terminal
export type Terminal = headless.Terminal
export const SerializeAddon = unwrapped(serialize).SerializeAddon
export type SerializeAddon = serialize.SerializeAddon
