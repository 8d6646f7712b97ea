import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameOf, scopeFile } from './file-name.ts'
import { runs } from '../../../shared/testing/runs.ts'

/** Returns the id of a file name; null when the name ends in a hash or is none of ours. */
function idOfFileName(name: string): string | null {
  if (name === '%') return ''
  if (name.includes('%~')) return null
  const parts: string[] = []
  let bytes: number[] = []
  const flush = () => {
    if (bytes.length > 0) {
      parts.push(Buffer.from(bytes).toString('utf8'))
      bytes = []
    }
  }
  for (let i = 0; i < name.length;) {
    const unit = /^%u([0-9a-f]{4})/.exec(name.slice(i, i + 6))
    const byte = /^%([0-9a-f]{2})/.exec(name.slice(i, i + 3))
    if (unit?.[1]) {
      flush()
      parts.push(String.fromCharCode(Number.parseInt(unit[1], 16)))
      i += 6
    } else if (byte?.[1]) {
      bytes.push(Number.parseInt(byte[1], 16))
      i += 3
    } else {
      flush()
      parts.push(name.charAt(i))
      i += 1
    }
  }
  flush()
  const id = parts.join('')
  return fileNameOf(id) === name ? id : null
}

/** any text a client may send, lone surrogates included */
const anyId = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.string({
    unit: fc.constantFrom('a', 'A', '%', '~', '.', '/', '\\', 'é', 'é', 'ı', 'K', 'u', '4', '1', ':'),
    maxLength: 12,
  }),
)

describe('fileNameOf', () => {
  it.each([
    ['0198a7c2-1d3e-7000-8000-000000000001', '0198a7c2-1d3e-7000-8000-000000000001'],
    ['ses_4Kb', 'ses_4%4bb'],
    ['tmux:main#2', 'tmux%3amain%232'],
    ['../../etc/passwd', '%2e.%2f..%2fetc%2fpasswd'],
    ['.hidden', '%2ehidden'],
    ['con', '%63on'],
    ['nul.txt', '%6eul.txt'],
    ['console', 'console'],
    ['', '%'],
    ['会话', '%e4%bc%9a%e8%af%9d'],
    ['\ud800x', '%ud800x'],
  ])('writes %j as %j', (id, name) => {
    expect(fileNameOf(id)).toBe(name)
    expect(idOfFileName(name)).toBe(id)
  })

  it('is reversible, and safe on every file system, for any id that is not too long', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const name = fileNameOf(id)
        expect(name).toMatch(/^[a-z0-9_%~-][a-z0-9_.%~-]*$/)
        expect(name.length).toBeLessThanOrEqual(120)
        expect(idOfFileName(name)).toBe(name.includes('%~') ? null : id)
      }),
      runs(2000),
    )
  })

  it('never gives two ids one file, also where case and Unicode forms are ignored', () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        fc.pre(one !== other)
        expect(fileNameOf(one).toLowerCase().normalize('NFD')).not.toBe(
          fileNameOf(other).toLowerCase().normalize('NFD'),
        )
      }),
      runs(2000),
    )
  })

  it('keeps long ids apart by a hash tail', () => {
    const long = 'x'.repeat(400)
    const name = fileNameOf(`${long}A`)
    expect(name.length).toBeLessThanOrEqual(120)
    expect(name).toMatch(/^x{70}%~[0-9a-f]{40}$/)
    expect(name).not.toBe(fileNameOf(`${long}a`))
    expect(idOfFileName(name)).toBeNull()
  })

  it.each(['%zz', '%4', 'A', 'con', '%75', 'a b', '%U0041'])('does not take %j for a name of its own', (name) => {
    expect(idOfFileName(name)).toBeNull()
  })
})

describe('scopeFile', () => {
  it.each([
    ['tmux:main', 'tmux-main.json'],
    ['tmux:main:%3', 'tmux-main%3a%253.json'],
    ['tmux:Main', 'tmux-%4dain.json'],
    ['pty:3f2a', 'pty-3f2a.json'],
    ['session:abc', 'reenter-abc.json'],
  ])('of %s is %s', (scope, file) => {
    expect(scopeFile(scope)).toBe(file)
  })
})
