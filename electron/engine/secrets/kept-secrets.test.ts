import { describe, expect, it } from 'vitest'
import { keychainError } from './keychain.ts'
import { secretsWorld } from './testing/secrets-world.ts'

const index = '/home/secrets-index.json'

describe('a new secret', () => {
  it('goes to the keychain where it works, and to no file', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    await secrets.set('glm-main', 'sk-1')
    expect(world.inKeychain()).toEqual({ 'glm-main': 'sk-1' })
    expect(world.bytes()).not.toContain('sk-1')
    expect(await world.start().get('glm-main')).toBe('sk-1')
    expect(await secrets.view()).toMatchObject({
      keep: 'keychain',
      count: { keychain: 1, file: 0 },
      keychain: { kind: 'works' },
    })
  })

  it('goes to the file where the keychain does not work, and nothing else is left of the attempt', async () => {
    const world = secretsWorld()
    world.keychain.trouble = 'unreachable'
    const secrets = world.start()
    await secrets.set('glm-main', 'sk-1')
    expect([...world.disk.content.keys()]).toEqual(['/home/secrets.json'])
    expect(await secrets.view()).toEqual({
      keep: null,
      path: '/home/secrets.json',
      count: { keychain: 0, file: 1 },
      keychain: { kind: 'trouble', trouble: 'unreachable', said: 'said the system' },
      moving: null,
      strays: [],
      unnamed: [],
      swept: [],
    })
  })

  it('is refused where the keychain was chosen and does not answer: no second place is made up', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    await secrets.set('a', 'sk-1')
    world.keychain.trouble = 'locked'
    await expect(secrets.set('b', 'sk-2')).rejects.toMatchObject({ code: 'keychain-unreachable' })
    expect(world.bytes()).not.toContain('sk-2')
    expect(await secrets.get('b')).toBeNull()
    await expect(secrets.get('a')).rejects.toThrow('The keychain is locked')
    world.keychain.trouble = null
    await secrets.set('b', 'sk-3')
    expect(world.inKeychain()).toEqual({ a: 'sk-1', b: 'sk-3' })
  })

  it('goes to the file once that was chosen, and the keychain is asked nothing', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    await secrets.move('file')
    await secrets.set('a', 'sk-1')
    expect(world.keychain.calls).toEqual([])
    expect(world.inFile()).toEqual({ a: 'sk-1' })
  })

  it('is refused by a keychain that gives back something else', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    world.keychain.set = async (account) => void world.keychain.content.set(account, 'cut off')
    await secrets.set('a', 'sk-1')
    // The test entry found out.
    expect(world.inFile()).toEqual({ a: 'sk-1' })
    await expect(secrets.move('keychain')).rejects.toMatchObject({ code: 'keychain-unreachable' })
    expect(world.inFile()).toEqual({ a: 'sk-1' })
    expect(world.keychain.content.size).toBe(0)
  })
})

describe('a home whose secrets are in the file', () => {
  it('asks no keychain, and writes nothing, until a secret comes', async () => {
    const world = secretsWorld()
    world.disk.content.set('/home/secrets.json', '{"a":"sk-1"}')
    const secrets = world.start()
    await secrets.resume()
    expect(await secrets.get('a')).toBe('sk-1')
    expect(await secrets.view()).toMatchObject({ count: { file: 1, keychain: 0 }, keychain: { kind: 'untried' } })
    expect(world.keychain.calls).toEqual([])
    expect([...world.disk.content.keys()]).toEqual(['/home/secrets.json'])
  })

  it('moves all of them to the keychain and back', async () => {
    const world = secretsWorld()
    const all = { a: 'sk-1', ['__proto__']: 'sk-2', constructor: 'sk-3' }
    world.disk.content.set('/home/secrets.json', '{"a":"sk-1","__proto__":"sk-2","constructor":"sk-3"}')
    const secrets = world.start()
    await secrets.move('keychain')
    expect(world.keychain.content.size).toBe(3)
    expect(world.bytes()).not.toMatch(/sk-/)
    expect([...world.disk.content.keys()]).toEqual([index])
    for (const [name, value] of Object.entries(all)) expect(await secrets.get(name)).toBe(value)
    expect(await secrets.view()).toMatchObject({ keep: 'keychain', count: { file: 0, keychain: 3 }, moving: null })
    await secrets.move('file')
    expect(world.keychain.content.size).toBe(0)
    for (const [name, value] of Object.entries(all)) expect(await world.start().get(name)).toBe(value)
    expect(await secrets.view()).toMatchObject({ keep: 'file', count: { file: 3, keychain: 0 }, moving: null })
  })

  it('stays as it is where the keychain does not work', async () => {
    const world = secretsWorld()
    world.disk.content.set('/home/secrets.json', '{"a":"sk-1"}')
    world.keychain.trouble = 'unreachable'
    await expect(world.start().move('keychain')).rejects.toMatchObject({ details: { trouble: 'unreachable' } })
    expect([...world.disk.content]).toEqual([['/home/secrets.json', '{"a":"sk-1"}']])
  })
})

describe('a keychain that is locked', () => {
  it('keeps what it has: what is removed meanwhile goes when it can', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    await secrets.set('a', 'sk-1')
    await secrets.set('b', 'sk-2')
    world.keychain.trouble = 'locked'
    await secrets.remove('a')
    expect(await secrets.get('a')).toBeNull()
    expect(world.inKeychain()).toEqual({ a: 'sk-1', b: 'sk-2' })
    await expect(secrets.move('file')).rejects.toMatchObject({
      code: 'secrets-unmoved',
      message:
        'Not moved to the file: b. Still elsewhere as a copy that does not count: a. Why: the keychain ' +
        'is locked (said the system). New keys go to the file; set these anew there, or move them later.',
    })
    expect(await secrets.view()).toMatchObject({ keep: 'file', moving: 'file', count: { keychain: 1, file: 0 } })
    // New ones have a place all the same.
    await secrets.set('c', 'sk-3')
    expect(world.inFile()).toEqual({ c: 'sk-3' })
    world.keychain.trouble = null
    await world.start().resume()
    expect(world.keychain.content.size).toBe(0)
    expect(world.inFile()).toEqual({ b: 'sk-2', c: 'sk-3' })
  })
})

describe('what can’t be removed', () => {
  it('from the file after a move is no success: it is said by name, and goes once it can', async () => {
    const world = secretsWorld()
    world.disk.content.set('/home/secrets.json', '{"a":"sk-1","b":"sk-2"}')
    const secrets = world.start()
    const { remove, writeAtomic } = world.disk
    const full = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    world.disk.remove = full
    world.disk.writeAtomic = (path, data) => (path.endsWith('secrets.json') ? full() : writeAtomic(path, data))
    await expect(secrets.move('keychain')).rejects.toMatchObject({
      code: 'secrets-unmoved',
      details: { to: 'keychain', secrets: '', copies: 'a, b' },
    })
    const left = [
      { name: 'a', place: 'file' },
      { name: 'b', place: 'file' },
    ]
    expect(await secrets.view()).toMatchObject({
      moving: 'keychain',
      strays: left,
      count: { keychain: 2, file: 0 },
    })
    await world.clock.advance(60_000)
    expect((await secrets.view()).strays).toEqual(left)
    world.disk.remove = remove
    world.disk.writeAtomic = writeAtomic
    await world.clock.advance(120_000)
    expect(await secrets.view()).toMatchObject({ moving: null, strays: [] })
    expect(world.bytes()).not.toContain('sk-')
    expect(world.clock.pending()).toBe(0)
  })

  it('does not keep the others from going, at a start as well', async () => {
    const world = secretsWorld()
    const first = world.start()
    for (const name of ['a', 'b', 'c']) await first.set(name, 'sk-1')
    const { remove } = world.keychain
    world.keychain.trouble = 'locked'
    for (const name of ['a', 'b', 'c']) await first.remove(name)
    world.keychain.trouble = null
    world.keychain.remove = async (account) => {
      if (account.endsWith('/a')) throw keychainError('refused', 'not this one')
      return remove(account)
    }
    const next = world.start()
    await next.resume()
    expect(world.inKeychain()).toEqual({ a: 'sk-1' })
    expect((await next.view()).strays).toEqual([{ name: 'a', place: 'keychain' }])
    await expect(next.move('file')).rejects.toMatchObject({ details: { copies: 'a', secrets: '' } })
  })

  it('is asked of a locked keychain once, and goes when it opens', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    for (const name of ['a', 'b', 'c']) await secrets.set(name, 'sk-1')
    world.keychain.trouble = 'locked'
    for (const name of ['a', 'b']) await secrets.remove(name)
    world.keychain.calls.length = 0
    await secrets.resume()
    expect(world.keychain.calls).toHaveLength(1)
    await world.clock.advance(3_600_000)
    expect(world.keychain.calls).toHaveLength(1)
    world.keychain.trouble = null
    expect(await secrets.get('c')).toBe('sk-1')
    await world.clock.advance(0)
    expect(world.inKeychain()).toEqual({ c: 'sk-1' })
  })
})

it('is looked at where the disk takes no note of a test entry', async () => {
  const world = secretsWorld()
  world.disk.writeAtomic = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
  expect(await world.start().view({ probe: true })).toMatchObject({ keychain: { kind: 'untried' } })
  expect(world.keychain.calls).toEqual([])
})

describe('what nothing names', () => {
  it('goes, by name, and what something names or nobody knows stays', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    for (const name of ['a', 'b', 'c', 'd']) await secrets.set(name, 'sk-1')
    world.names(null)
    await secrets.sweep()
    expect(Object.keys(world.inKeychain())).toHaveLength(4)
    world.names({ a: 'config', b: 'undo' })
    expect(await secrets.view()).toMatchObject({ unnamed: ['b', 'c', 'd'], swept: [] })
    await secrets.sweep('{"secretRef":"c"}')
    expect(await secrets.view()).toMatchObject({ unnamed: ['b', 'd'], swept: ['c'] })
    await secrets.sweep()
    expect(world.inKeychain()).toEqual({ a: 'sk-1', b: 'sk-1' })
  })

  it('goes from a keychain that is locked as soon as that can be', async () => {
    const world = secretsWorld()
    const secrets = world.start()
    for (const name of ['a', 'b']) await secrets.set(name, 'sk-1')
    world.names({})
    world.keychain.trouble = 'locked'
    world.keychain.calls.length = 0
    await secrets.sweep()
    expect(world.keychain.calls).toHaveLength(1)
    expect(await secrets.get('a')).toBeNull()
    world.keychain.trouble = null
    await world.start().resume()
    expect(world.inKeychain()).toEqual({})
  })
})

describe('the test entry', () => {
  it('that a hanging keychain took late is removed when it answers', async () => {
    const world = secretsWorld()
    const { set } = world.keychain
    world.keychain.set = async (account, value) => {
      await set(account, value)
      world.keychain.trouble = 'silent'
      throw keychainError('silent')
    }
    const secrets = world.start()
    await secrets.set('a', 'sk-1')
    expect(world.inFile()).toEqual({ a: 'sk-1' })
    expect(Object.keys(world.inKeychain())).toEqual(['test entry'])
    expect(await secrets.view()).toMatchObject({ keep: null, moving: null, strays: [] })
    world.keychain.trouble = null
    world.keychain.set = set
    await secrets.resume()
    expect(world.keychain.content.size).toBe(0)
  })

  it('of an engine that was killed is removed by the next one', async () => {
    for (const after of [false, true]) {
      for (let step = 0, killed = true; killed; step++) {
        const world = secretsWorld()
        killed = await world
          .start({ step, after })
          .set('a', 'sk-1')
          .then(
            () => false,
            () => true,
          )
        await world.start().resume()
        expect(Object.keys(world.inKeychain())).not.toContain('test entry')
      }
    }
  })

  it('is waited for a few seconds in all, unless a person asked for the keychain', async () => {
    const world = secretsWorld()
    const waits: (number | undefined)[] = []
    const slow = async (account: string, within: number | undefined) => {
      if (account.endsWith('/test entry')) waits.push(within)
      await world.clock.advance(1_500)
    }
    const { set, remove } = world.keychain
    world.keychain.set = (account, value, within) => slow(account, within).then(() => set(account, value))
    world.keychain.remove = (account, within) => slow(account, within).then(() => remove(account))
    await world.start().set('a', 'sk-1')
    expect(waits).toEqual([5_000, 3_500])
    waits.length = 0
    await world.start().move('keychain')
    expect(waits).toEqual([undefined, undefined])
  })
})

describe('two homes', () => {
  it('do not see each other’s secrets', async () => {
    const [one, other] = [secretsWorld(), secretsWorld()]
    await one.start().set('a', 'sk-1')
    const token = () => 'another-home-0000'
    expect(one.keychain.content.size).toBe(1)
    for (const [account, value] of one.keychain.content) other.keychain.content.set(account, value)
    other.disk.content.set(
      index,
      JSON.stringify({ version: 1, home: token(), keep: 'keychain', moving: null, names: [] }),
    )
    const secrets = other.start()
    expect(await secrets.get('a')).toBeNull()
    await secrets.set('a', 'sk-2')
    expect(other.keychain.content.size).toBe(2)
    expect(await secrets.get('a')).toBe('sk-2')
  })
})

describe('a damaged index', () => {
  it.each(['{', '[]', '{"version":1}', '{"version":2,"home":"0123456789abcdef","keep":null,"moving":null,"names":[]}'])(
    'is neither guessed at nor written over: %s',
    async (text) => {
      const world = secretsWorld()
      world.disk.content.set(index, text)
      const secrets = world.start()
      await expect(secrets.get('a')).rejects.toMatchObject({ code: 'secrets-index' })
      await expect(secrets.set('a', 'sk-1')).rejects.toMatchObject({ code: 'secrets-index' })
      await secrets.resume()
      expect([...world.disk.content]).toEqual([[index, text]])
      expect(world.keychain.content.size).toBe(0)
    },
  )
})
