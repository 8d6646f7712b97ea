import { execFileSync } from 'node:child_process'
import { linkSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from './create-workspace.ts'
import { never, realFolder, type RealFolder } from './testing/real-folder.ts'
import { stateOfFolder } from './testing/state-of-folder.ts'
import { runs } from '../../../shared/testing/runs.ts'
import { onWindows, unless } from '../../../shared/testing/unless.ts'

describe('a session’s folder', () => {
  let scene: RealFolder
  beforeEach(() => (scene = realFolder()))
  afterEach(() => scene.remove())

  describe('names', () => {
    it('are listed with folders first, without what tools fill', async () => {
      for (const path of ['b.ts', 'src/x.ts', 'src/deep/y.ts', 'node_modules/p/i.js', 'dist/o.js', '.env'])
        scene.put(path)
      expect(await scene.workspace.listFiles({}, never)).toEqual({
        ok: true,
        what: '.',
        say: '6 names',
        text: 'src/\nsrc/deep/\nsrc/deep/y.ts\nsrc/x.ts\n.env (holds secrets: can’t be read)\nb.ts',
      })
      expect(await scene.workspace.listFiles({ path: 'dist' }, never)).toMatchObject({
        what: 'dist',
        text: 'dist/o.js',
      })
      expect(await scene.workspace.listFiles({ path: 'b.ts' }, never)).toMatchObject({ ok: false, say: 'a file' })
      expect(await scene.workspace.listFiles({ path: 'nope' }, never)).toMatchObject({ ok: false, say: 'no such file' })
    })

    it('are without what git ignores, but for a path that is asked for', async () => {
      scene.git('init', '-q')
      for (const path of ['a.ts', 'logs/1.txt', 'src/b.ts']) scene.put(path)
      scene.put('.gitignore', 'logs\n')
      expect((await scene.workspace.listFiles({}, never)).text).toBe('src/\nsrc/b.ts\n.gitignore\na.ts')
      expect((await scene.workspace.listFiles({ path: 'logs' }, never)).text).toBe('logs/1.txt')
      expect(await scene.workspace.searchText({ text: 'x', path: 'logs' }, never)).toMatchObject({ ok: true })
    })

    it('are bounded in depth and number', async () => {
      scene.put('a/b/c/d/e.ts')
      expect((await scene.workspace.listFiles({}, never)).text).toBe(
        'a/\na/b/\na/b/c/\na/b/c/d/ (not listed here: list it by its path)',
      )
      for (let i = 0; i < 450; i++) scene.put(`many/${i}`)
      expect((await scene.workspace.listFiles({}, never)).text).toContain('many/ (not listed here')
      expect(await scene.workspace.listFiles({ path: 'many' }, never)).toMatchObject({
        say: '400 names',
        text: expect.stringContaining('… 50 more names'),
      })
    })
  })

  describe('a file', () => {
    const read = (input: Parameters<RealFolder['workspace']['readFile']>[0]) => scene.workspace.readFile(input, never)

    it('is read with line numbers', async () => {
      scene.put('a.ts', 'one\r\ntwo\nthree')
      expect(await read({ path: './a.ts' })).toEqual({
        ok: true,
        what: 'a.ts:1-3',
        say: '3 lines',
        text: '1\tone\n2\ttwo\n3\tthree',
      })
      expect(await read({ path: 'a.ts', from: 2, lines: 1 })).toEqual({
        ok: true,
        what: 'a.ts:2-2',
        say: 'lines 2–2 of 3',
        text: '2\ttwo\n… lines 3 to 3 are not shown: ask with from 3.',
      })
      expect(await read({ path: 'a.ts', from: 4 })).toMatchObject({ ok: false, say: 'no such line' })
      expect(await read({ path: 'a.ts', from: -3, lines: Number.NaN })).toMatchObject({ ok: true, what: 'a.ts:1-1' })
    })

    it('is read in pieces that lead through the whole of it', async () => {
      scene.put('long.txt', Array.from({ length: 1_000 }, (_, i) => `line ${i + 1} ${'x'.repeat(i % 300)}`).join('\n'))
      const seen: number[] = []
      for (let from = 1; from <= 1_000;) {
        const found = await read({ path: 'long.txt', from })
        expect(found.ok).toBe(true)
        expect(found.text.length).toBeLessThanOrEqual(24_000)
        for (const [, line] of found.text.matchAll(/^(\d+)\t/gm)) seen.push(Number(line))
        from = (seen.at(-1) ?? 1_000) + 1
      }
      expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1))
    })

    it('is told about where it is no text, empty, or huge', async () => {
      scene.put('x.png', Buffer.from([137, 80, 0, 1]))
      scene.put('empty')
      scene.put('bad.txt', Buffer.from([0x61, 0xff, 0xfe, 0x62, 10, 0x63]))
      scene.put('line.txt', 'y'.repeat(1_000_000))
      scene.put('huge.txt', `${'z'.repeat(99)}\n`.repeat(90_000))
      expect(await read({ path: 'x.png' })).toMatchObject({ ok: true, say: 'binary, 4 bytes' })
      expect(await read({ path: 'empty' })).toMatchObject({ ok: true, say: 'empty' })
      expect(await read({ path: 'bad.txt' })).toMatchObject({ ok: true, text: '1\ta\uFFFD\uFFFDb\n2\tc' })
      expect(await read({ path: 'line.txt' })).toMatchObject({
        ok: true,
        say: '1 line',
        text: expect.stringMatching(/^1\ty{400}… \(1000000 bytes\)$/),
      })
      expect(await read({ path: 'huge.txt' })).toMatchObject({
        ok: true,
        text: expect.stringContaining('the file has 9000000 bytes; only the first 8388608'),
      })
    })

    it('is refused where it holds secrets, by its name, its real name, or its beginning', async () => {
      scene.put('.env', 'TOKEN=x')
      scene.put('key.txt', `-----BEGIN ${'PRIVATE'} KEY-----\n`)
      if (onWindows === null) symlinkSync('.env', join(scene.folder, 'notes.txt'))
      for (const path of ['.env', './/.env', '.ENV', 'key.txt', ...(onWindows === null ? ['notes.txt'] : [])])
        expect(await read({ path })).toMatchObject({ ok: false, say: 'holds secrets' })
    })

    it(
      'is refused where it is a pipe, a socket, a device, a folder, or a link round in a circle',
      unless(onWindows),
      async () => {
        execFileSync('mkfifo', [join(scene.folder, 'pipe')])
        const server = createServer().listen(join(scene.folder, 'socket'))
        await new Promise((resolve) => server.once('listening', resolve))
        symlinkSync('/dev/zero', join(scene.folder, 'zero'))
        symlinkSync('round', join(scene.folder, 'round'))
        symlinkSync('gone', join(scene.folder, 'dangling'))
        mkdirSync(join(scene.folder, 'sub'))
        const says: string[] = []
        for (const path of ['pipe', 'socket', 'zero', 'round', 'dangling', 'sub']) says.push((await read({ path })).say)
        server.close()
        expect(says).toEqual([
          'not a file',
          'not a file',
          'outside the folder',
          'no such file',
          'no such file',
          'a folder',
        ])
      },
    )
  })

  describe('a text', () => {
    const search = (text: string, path?: string) =>
      scene.workspace.searchText(path === undefined ? { text } : { text, path }, never)

    it('is found with its place, as it is written', async () => {
      scene.put('a.ts', 'x\nfoo(.*)\n  foo(.*) foo(.*)\n')
      scene.put('src/b.ts', 'foo\nFOO(.*)\n')
      scene.put('.env', 'foo(.*)')
      scene.put('x.bin', Buffer.from('\0foo(.*)'))
      expect(await search('foo(.*)')).toEqual({
        ok: true,
        what: 'foo(.*)',
        say: '2 lines in 1 file',
        text:
          'a.ts:2: foo(.*)\na.ts:3: foo(.*) foo(.*)\n(2 files not ' +
          'searched: binary, larger than 2 MB, or holding secrets)',
      })
      expect(await search('foo', 'src')).toMatchObject({ what: 'foo in src', text: 'src/b.ts:1: foo' })
      expect(await search('foo', 'src/b.ts')).toMatchObject({ what: 'foo in src/b.ts', say: '1 line in 1 file' })
      expect(await search('nowhere')).toMatchObject({ ok: true, say: 'nothing found' })
      for (const query of ['--help', '-e', '\\', '$(x)'])
        expect(await search(query)).toMatchObject({ ok: true, say: 'nothing found' })
      for (const query of ['', 'a\nb', 'x'.repeat(401)])
        expect(await search(query)).toMatchObject({ ok: false, say: 'not a query' })
      expect(await scene.workspace.searchText({ text: 'foo' }, AbortSignal.abort())).toMatchObject({ ok: false })
    })

    it('is bounded, and cut around what was found', async () => {
      scene.put('many.txt', 'hit\n'.repeat(500))
      for (let i = 0; i < 80; i++) scene.put(`f/${i}.txt`, `${'a'.repeat(5_000)}hit${'b'.repeat(5_000)}`)
      const found = await search('hit')
      expect(found.text.split('\n').filter((line) => line.includes(': ')).length).toBeLessThanOrEqual(62)
      expect(found.text).toContain('… 485 more lines of many.txt')
      expect(found.text).toContain('… there is more')
      expect((await search('hit', 'f/1.txt')).text).toMatch(/^f\/1\.txt:1: …a{120}hitb{240}…$/)
    })
  })

  it('tells what is there', async () => {
    scene.put('a/b.ts')
    scene.put('.env')
    const { exists } = scene.workspace
    expect(
      await Promise.all(['a/b.ts', 'a', '', 'nope', '.env', '../project/a/b.ts', join(scene.folder, 'a')].map(exists)),
    ).toEqual([true, true, true, false, false, false, false])
  })

  it('rejects nothing where the folder is gone', async () => {
    scene.remove()
    const { workspace } = scene
    const found = [
      await workspace.listFiles({}, never),
      await workspace.readFile({ path: 'a' }, never),
      await workspace.searchText({ text: 'a' }, never),
      await workspace.gitStatus(never),
      await workspace.gitDiff({}, never),
      await workspace.gitLog({}, never),
    ]
    expect(found.map(({ ok }) => ok)).toEqual([false, false, false, false, false, false])
  })

  describe('with links, secrets and hard names all over', unless(onWindows), () => {
    const names = [
      'a',
      'b.txt',
      'in',
      'out',
      'loop',
      '-x',
      ':(top)',
      'a\nb',
      'q"q',
      "it's",
      '.env',
      'id_rsa',
      '.git',
      '.ssh',
      '*',
      'ü',
      'c\\d',
      '%2e%2e',
      ' ',
    ] as const
    const name = fc.constantFrom(...names)
    const segments = fc.array(
      fc.oneof({ weight: 6, arbitrary: name }, { weight: 1, arbitrary: fc.constantFrom('..', '.', '', '.ENV', 'A') }),
      { minLength: 1, maxLength: 4 },
    )
    const node = fc.record({
      at: fc.array(name, { minLength: 1, maxLength: 3 }),
      is: fc.oneof(
        { weight: 5, arbitrary: fc.constant({ kind: 'file' as const }) },
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant('link' as const),
            to: fc.oneof(
              segments.map((parts) => parts.join('/')),
              fc.constantFrom(
                '../outside',
                '../outside/o.txt',
                '../../project/../outside',
                '/',
                '/etc/passwd',
                'loop',
                '.',
                '..',
                '.env',
                '.ssh',
                '.ssh/a',
                '../.env',
              ),
            ),
          }),
        },
      ),
    })

    it('shows no byte from outside or of a secret, and writes nothing', { timeout: 120_000 }, async () => {
      mkdirSync(join(scene.around, 'outside'))
      for (const file of ['o.txt', 'a', '.env']) writeFileSync(join(scene.around, 'outside', file), 'OUTSIDE\n')
      let round = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(node, { minLength: 3, maxLength: 14 }),
          fc.array(segments, { minLength: 2, maxLength: 5 }),
          fc.boolean(),
          async (nodes, asked, withGit) => {
            const base = `r${round++}`
            mkdirSync(join(scene.folder, base))
            for (const at of [['.env'], ['.ssh', 'a'], ['.git', 'a']])
              plant(join(scene.folder, base), at, { kind: 'file' })
            for (const { at, is } of nodes) plant(join(scene.folder, base), at, is)
            const folder = join(scene.folder, base)
            const workspace = createWorkspace({
              folder,
              scratch: join(scene.around, 'scratch'),
              runProgram: withGit
                ? scene.runProgram
                : async () => ({ kind: 'not-started', exitCode: null, stdout: '', stderr: '', ms: 0, problem: 'none' }),
            })
            const before = stateOfFolder(folder)
            const paths = [
              ...asked.map((parts) => parts.join('/')),
              ...nodes.map(({ at }) => at.join('/')),
              ...nodes.flatMap(({ at }) => [
                `${at.join('/')}/a`,
                `${at.join('/')}/o.txt`,
                `${at.join('/')}/../outside/o.txt`,
              ]),
              join(scene.around, 'outside', 'o.txt'),
            ]
            const texts: string[] = []
            for (const path of paths) texts.push((await workspace.readFile({ path }, never)).text)
            for (const path of ['', ...nodes.slice(0, 3).map(({ at }) => at.join('/'))])
              texts.push(
                (await workspace.searchText({ text: 'SECRET', path }, never)).text.replace(/^No line .*/, ''),
                (await workspace.searchText({ text: 'OUTSIDE', path }, never)).text,
                (await workspace.listFiles({ path }, never)).text,
              )
            for (const text of texts) {
              expect(text).not.toContain('OUTSIDE\n')
              expect(text).not.toMatch(/\tOUTSIDE|: OUTSIDE|SECRET|root:x/)
              expect(text).not.toContain('o.txt\n')
            }
            expect(stateOfFolder(folder)).toEqual(before)
          },
        ),
        runs(80),
      )
    })

    /** Files below a secret's name say so; one that can't be made, because something else is there, is skipped. */
    function plant(base: string, at: readonly string[], is: { kind: 'file' } | { kind: 'link'; to: string }): void {
      const path = join(base, ...at)
      const secret = at.some((part) => ['.env', 'id_rsa', '.git', '.ssh'].includes(part))
      try {
        if (!realInside(base, at)) return
        mkdirSync(join(path, '..'), { recursive: true })
        if (is.kind === 'link') symlinkSync(is.to, path)
        else writeFileSync(path, secret ? 'SECRET\n' : 'open\n', { flag: 'wx' })
      } catch {
        return
      }
    }

    /** Nothing is planted through a link. */
    const realInside = (base: string, at: readonly string[]) =>
      at
        .slice(0, -1)
        .every(
          (_, i) => lstatSync(join(base, ...at.slice(0, i + 1)), { throwIfNoEntry: false })?.isSymbolicLink() !== true,
        )
  })

  it('is not read where its file has another name: it may be any of the disk', unless(onWindows), async () => {
    linkSync(scene.put('.env', 'TOKEN=x'), join(scene.folder, 'same.txt'))
    const hidden = { ok: false, say: 'a hard link' }
    expect(await scene.workspace.readFile({ path: 'same.txt' }, never)).toMatchObject(hidden)
    expect((await scene.workspace.searchText({ text: 'TOKEN' }, never)).say).toBe('nothing found')
    scene.git('init', '-q')
    scene.put('tracked.txt', 'one\n')
    scene.git('add', 'tracked.txt')
    scene.git('commit', '-qm', 'first')
    rmSync(join(scene.folder, 'tracked.txt'))
    linkSync(join(scene.folder, '.env'), join(scene.folder, 'tracked.txt'))
    const diff = await scene.workspace.gitDiff({}, never)
    expect(diff.text).not.toContain('TOKEN')
    expect(diff.text).toContain('1 file left out')
  })
})
