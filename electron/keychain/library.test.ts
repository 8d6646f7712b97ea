import { describe, expect, it } from 'vitest'
import { askLibrary, type KeyringLibrary } from './library.ts'

/** The library as it behaves, with what it was asked. */
function library(fails: string | null = null) {
  const content = new Map<string, string>()
  const stores: unknown[] = []
  class AsyncEntry {
    #at: string
    constructor(service: string, account: string, options: unknown) {
      if (fails !== null) throw new Error(fails)
      this.#at = `${service} ${account}`
      stores.push(options)
    }
    getPassword = async () => content.get(this.#at) ?? null
    setPassword = async (value: string) => void content.set(this.#at, value)
    deleteCredential = async () => content.delete(this.#at)
  }
  return { content, stores, ask: askLibrary(async (): Promise<KeyringLibrary> => ({ AsyncEntry })) }
}

describe('the keychain’s library', () => {
  it('keeps, gives and takes away under Onward’s name, and never in the kernel’s keyring', async () => {
    const { content, stores, ask } = library()
    expect(await ask({ call: 'get', account: 'h/a' })).toEqual({ ok: true, value: null })
    expect(await ask({ call: 'set', account: 'h/a', value: 'sk-1' })).toEqual({ ok: true, value: null })
    expect([...content]).toEqual([['dev.onward h/a', 'sk-1']])
    expect(await ask({ call: 'get', account: 'h/a' })).toEqual({ ok: true, value: 'sk-1' })
    expect(await ask({ call: 'remove', account: 'h/a' })).toEqual({ ok: true, value: null })
    expect(await ask({ call: 'remove', account: 'h/a' })).toEqual({ ok: true, value: null })
    expect(content.size).toBe(0)
    for (const store of stores) expect(store).toEqual({ linux: { store: 'secret-service' } })
  })

  it('that is not there is told of', async () => {
    const ask = askLibrary(() => Promise.reject(new Error('Cannot find module keyring\nRequire stack: …')))
    expect(await ask({ call: 'get', account: 'a' })).toEqual({
      ok: false,
      trouble: 'not-built',
      said: 'Cannot find module keyring',
    })
  })

  it.each([
    ['Couldn’t access platform storage: Secret Service: unlock prompt was dismissed', 'locked'],
    ['Platform failure: DBus error: set your DBUS_SESSION_BUS_ADDRESS instead', 'unreachable'],
    ['Couldn’t access platform storage: Secret Service: no result found', 'unreachable'],
    ['Attribute password is longer than the platform limit of 2560 chars', 'refused'],
    ['Platform failure: DBus error: Did not receive a reply. Possible causes include: the remote…', 'silent'],
  ])('that fails says how: %s', async (text, trouble) => {
    const said = text.replace(/\. Possible.*/, '')
    expect(await library(text).ask({ call: 'get', account: 'a' })).toEqual({ ok: false, trouble, said })
  })
})
