import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { asRoot, notOnLinux, unless } from '../../../shared/testing/unless.ts'
import { diskFiles, tempPrefix, makeFolders, sharedSync, syncFolder, fileNameOf, scopeFile } from './disk-files.ts'
import { tempFolders } from './testing/temp-folder.ts'

const temp = tempFolders()

describe('diskFiles', () => {
  it('writes whole files of mode 0600 into folders of mode 0700', async () => {
    const file = join(temp(), 'a', 'b', 'c.json')
    await diskFiles().writeAtomic(file, 'one')
    await diskFiles().writeAtomic(file, 'two')
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(statSync(join(file, '../..')).mode & 0o777).toBe(0o700)
  })

  it('narrows a file that others could read', async () => {
    const file = join(temp(), 'a.json')
    writeFileSync(file, 'old', { mode: 0o644 })
    await diskFiles().writeAtomic(file, 'new')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('leaves no temporary file and the old content when the last step fails', async () => {
    const folder = temp()
    // a folder in the file's place: rename(2) refuses it after the temporary file was written
    mkdirSync(join(folder, 'a.json'))
    await expect(diskFiles().writeAtomic(join(folder, 'a.json'), 'x')).rejects.toMatchObject({ code: 'EISDIR' })
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  it('passes by temporary files of an earlier process of the same number', async () => {
    const folder = temp()
    writeFileSync(join(folder, `${tempPrefix}${process.pid}-1.tmp`), 'left over')
    await diskFiles().writeAtomic(join(folder, 'a.json'), 'x')
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('x')
    expect(readFileSync(join(folder, `${tempPrefix}${process.pid}-1.tmp`), 'utf8')).toBe('left over')
  })

  it('replaces a symbolic link instead of writing through it', async () => {
    const folder = temp()
    const precious = join(folder, 'precious')
    writeFileSync(precious, 'keep')
    symlinkSync(precious, join(folder, 'a.json'))
    await diskFiles().writeAtomic(join(folder, 'a.json'), 'x')
    expect(readFileSync(precious, 'utf8')).toBe('keep')
    expect(lstatSync(join(folder, 'a.json')).isSymbolicLink()).toBe(false)
  })

  it('refuses to append to a symbolic link', async () => {
    const folder = temp()
    const precious = join(folder, 'precious')
    writeFileSync(precious, 'keep')
    symlinkSync(precious, join(folder, 'log'))
    await expect(diskFiles().append(join(folder, 'log'), 'x')).rejects.toMatchObject({ code: 'ELOOP' })
    expect(readFileSync(precious, 'utf8')).toBe('keep')
  })

  it('appends, creating folder and file', async () => {
    const file = join(temp(), 'logs', 'a.jsonl')
    await diskFiles().append(file, '1\n')
    await diskFiles().append(file, '2\n')
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('answers for what is not there', async () => {
    const files = diskFiles()
    const nothing = join(temp(), 'nothing')
    expect(await files.read(nothing)).toBeNull()
    expect(await files.list(nothing)).toEqual([])
    expect(await files.modifiedAt?.(nothing)).toBeNull()
    await files.remove(nothing)
    await expect(files.rename(nothing, `${nothing}2`)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('gives up where files can not be made at all', unless(notOnLinux), async () => {
    await expect(diskFiles().writeAtomic('/proc/onward.json', 'x')).rejects.toMatchObject({
      code: expect.stringMatching(/^E/),
    })
  })

  it('tells when a file last changed', async () => {
    const file = join(temp(), 'a')
    writeFileSync(file, '')
    utimesSync(file, 1_700_000_000, 1_700_000_000)
    expect(await diskFiles().modifiedAt?.(file)).toBe(1_700_000_000_000)
  })

  it('passes the system code of a read-only folder on', unless(asRoot), async () => {
    const folder = temp()
    chmodSync(folder, 0o500)
    await expect(diskFiles().writeAtomic(join(folder, 'a.json'), 'x')).rejects.toMatchObject({ code: 'EACCES' })
    chmodSync(folder, 0o700)
  })
})

describe('diskFiles with a root', () => {
  it('takes paths below the root', async () => {
    const root = temp()
    await diskFiles(root).writeAtomic('x/a.json', '1')
    expect(readFileSync(join(root, 'x/a.json'), 'utf8')).toBe('1')
    expect((await diskFiles(root).read(join(root, 'x/a.json')))?.toString()).toBe('1')
    expect(await diskFiles(root).list('.')).toEqual(['x'])
  })

  it('works where the root itself is reached through a link', async () => {
    const folder = temp()
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'link'))
    await diskFiles(join(folder, 'link')).writeAtomic('a.json', '1')
    expect(existsSync(join(realpathSync(folder), 'real', 'a.json'))).toBe(true)
  })

  it.each(['../out.json', '/etc/onward-out.json', 'x/../../out.json'])('refuses %s', async (path) => {
    await expect(diskFiles(temp()).writeAtomic(path, '1')).rejects.toMatchObject({ code: 'path-refused' })
  })

  it('refuses a folder inside the root that is a link out of it', async () => {
    const folder = temp()
    mkdirSync(join(folder, 'root'))
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'root', 'way'))
    await expect(diskFiles(join(folder, 'root')).writeAtomic('way/a.json', '1')).rejects.toMatchObject({
      code: 'path-refused',
    })
    await expect(diskFiles(join(folder, 'root')).read('way/a.json')).rejects.toMatchObject({ code: 'path-refused' })
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
  })
})

describe('make folders', () => {
  const temp = tempFolders()
  /** root may write to a folder whatever its mode, hence `unless(asRoot)` */

  describe('makeFolders', () => {
    it('makes what is missing, for the owner only, and says where it began', async () => {
      const folder = temp()
      expect(await makeFolders(join(folder, 'a', 'b'))).toBe(join(folder, 'a'))
      expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
      expect(await makeFolders(join(folder, 'a', 'b'))).toBeUndefined()
    })

    it('says that a file stands in the way', async () => {
      const file = join(temp(), 'file')
      writeFileSync(file, '')
      await expect(makeFolders(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    })

    it('says that the folder above may not be written', unless(asRoot), async () => {
      const folder = temp()
      chmodSync(folder, 0o500)
      await expect(makeFolders(join(folder, 'a', 'b'))).rejects.toMatchObject({ code: 'EACCES' })
      chmodSync(folder, 0o700)
    })

    it('takes a link to a folder for a folder', async () => {
      const folder = temp()
      mkdirSync(join(folder, 'real'))
      symlinkSync('real', join(folder, 'link'))
      expect(await makeFolders(join(folder, 'link', 'a'))).toBe(join(folder, 'link', 'a'))
      expect(statSync(join(folder, 'real', 'a')).isDirectory()).toBe(true)
    })

    it('is made once by several at a time', async () => {
      const folder = temp()
      const made = await Promise.all(Array.from({ length: 5 }, () => makeFolders(join(folder, 'a', 'b', 'c'))))
      expect(made.filter((first) => first === join(folder, 'a'))).toHaveLength(1)
    })

    it('ends where nothing can be made', unless(existsSync('/proc/self') ? null : 'there is no /proc'), async () => {
      await expect(makeFolders('/proc/onward/a/b')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/onward' })
    })
  })
})

describe('sync folder', () => {
  const temp = tempFolders()

  describe('syncFolder', () => {
    it('syncs a folder, and fails for one that is not there', async () => {
      const folder = temp()
      await syncFolder(folder)
      await expect(syncFolder(`${folder}/none`)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    it('does nothing on Windows, which has no handle for it', async () => {
      await expect(syncFolder('/nowhere', 'win32')).resolves.toBeUndefined()
    })
  })

  describe('a sync that is shared', () => {
    /** syncs that end when the test ends them */
    function disk() {
      const running: { folder: string; end(error?: Error): void }[] = []
      const sync = sharedSync(
        (folder) =>
          new Promise<void>((done, fail) => running.push({ folder, end: (error) => (error ? fail(error) : done()) })),
      )
      return { running, sync }
    }
    const settled = () => new Promise((next) => setImmediate(next))

    it('is one for all who ask while another runs, and begins after they asked', async () => {
      const { running, sync } = disk()
      const first = sync('/a')
      const others = [sync('/a'), sync('/a'), sync('/a')]
      expect(running).toHaveLength(1)
      running[0]?.end()
      await first
      await settled()
      expect(running).toHaveLength(2)
      const late = sync('/a')
      running[1]?.end()
      await Promise.all(others)
      await settled()
      expect(running).toHaveLength(3)
      running[2]?.end()
      await late
    })
    it('fails for those whom it was for, and for no others', async () => {
      const { running, sync } = disk()
      const first = sync('/a')
      const second = sync('/a')
      running[0]?.end(new Error('the disk is gone'))
      await expect(first).rejects.toThrow('the disk is gone')
      await settled()
      running[1]?.end()
      await expect(second).resolves.toBeUndefined()
    })
    it('is of one folder', () => {
      const { running, sync } = disk()
      void sync('/a')
      void sync('/b')
      expect(running.map(({ folder }) => folder)).toEqual(['/a', '/b'])
    })
  })
})

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
