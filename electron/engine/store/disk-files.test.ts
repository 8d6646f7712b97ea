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
import { describe, expect, it } from 'vitest'
import { diskFiles, tempPrefix } from './disk-files.ts'
import { tempFolders } from './testing/temp-folder.ts'
import { asRoot, notOnLinux, unless } from '../../../shared/testing/unless.ts'

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
