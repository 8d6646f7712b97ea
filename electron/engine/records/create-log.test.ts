import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from './create-log.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const temp = () => {
  const folder = mkdtempSync(join(tmpdir(), 'onward-log-'))
  folders.push(folder)
  return folder
}
const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const unexpected = (message: string) => {
  throw new Error(message)
}

describe('createLog', () => {
  it('writes one JSON object per line, from its level on, for the owner only', async () => {
    const file = join(temp(), 'logs', 'onward.log')
    const { log, dispose } = createLog({ file, onFailure: unexpected })
    log.debug({}, 'not shown')
    log.info({ n: 1 }, 'one')
    log.child({ part: 'store' }).warn({ n: 2 }, 'two')
    await dispose()
    expect(linesOf(file)).toMatchObject([
      { level: 30, n: 1, msg: 'one' },
      { level: 40, part: 'store', n: 2, msg: 'two' },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  })

  it('goes without a file where none can be made, and says so once', async () => {
    const folder = temp()
    writeFileSync(join(folder, 'logs'), 'a file where the folder should be')
    const failures: string[] = []
    const file = join(folder, 'logs', 'onward.log')
    const { log, dispose } = createLog({ file, onFailure: (message) => failures.push(message) })
    log.info({}, 'unwritten')
    await dispose()
    expect(failures).toEqual([expect.stringMatching(/^The log .*onward\.log can't be written: E/)])
  })

  it('lets no secret through: fields, children, messages', async () => {
    const file = join(temp(), 'onward.log')
    const { log, dispose } = createLog({ file, level: 'debug', onFailure: unexpected })
    log
      .child({ apiKey: 'hunter2' })
      .debug({ headers: { authorization: 'hunter2' }, url: 'http://x/?key=hunter2' }, 'called /t/hunter2hunter2/v1')
    log.error({ err: new Error('Bearer hunter2hunter2') }, 'failed')
    await dispose()
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2')
    expect(linesOf(file)).toHaveLength(2)
  })

  it('is rotated by size, losing nothing, and goes on in the file of the run before', async () => {
    const file = join(temp(), 'onward.log')
    const first = createLog({ file, rotateAt: 5000, onFailure: unexpected })
    first.log.info({}, 'from the first run')
    await first.dispose()
    const second = createLog({ file, rotateAt: 5000, onFailure: unexpected })
    let n = 0
    // until the file was rotated once; each round waits for the writes of the one before
    for (let round = 0; round < 500 && !readdirSync(join(file, '..')).includes('onward.log.1'); round++) {
      for (let i = 0; i < 20; i++) second.log.info({ n: n++ }, 'line')
      await new Promise((resolve) => setImmediate(resolve))
    }
    await second.dispose()
    const [old, fresh] = [linesOf(`${file}.1`), readFileSync(file, 'utf8') === '' ? [] : linesOf(file)]
    expect(old[0]).toMatchObject({ msg: 'from the first run' })
    expect([...old.slice(1), ...fresh].map((line) => line.n)).toEqual(Array.from({ length: n }, (_, i) => i))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('begins a new file where the old one is too large already', async () => {
    const file = join(temp(), 'onward.log')
    writeFileSync(file, 'x'.repeat(100))
    const { log, dispose } = createLog({ file, rotateAt: 100, onFailure: unexpected })
    log.info({}, 'new')
    await dispose()
    expect(linesOf(file)).toHaveLength(1)
    expect(statSync(`${file}.1`).size).toBe(100)
  })

  it('says once that it can not be written, and does not end the engine', async () => {
    const file = join(temp(), 'onward.log')
    mkdirSync(file)
    const said: string[] = []
    const { log, dispose } = createLog({ file, onFailure: (message) => said.push(message) })
    log.info({}, 'one')
    log.info({}, 'two')
    await dispose()
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(file)
  })
})
