import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { runAcp } from './run-acp.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A real process as agent, between streams in place of a client; no engine runs on its home. */
function run(argv: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'onward-acp-'))
  folders.push(home)
  const [stdin, stdout] = [new PassThrough(), new PassThrough({ highWaterMark: 1_000 })]
  const ending = runAcp({
    plan: { terminalId: 't', argv, env: { FROM_PLAN: 'yes' } },
    acp: true,
    client: 'other',
    hostId: 'h',
    home,
    cwd: home,
    // what is used of them
    stdio: { stdin, stdout } as unknown as { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream },
  }).finally(() => stdout.end())
  return { stdin, ending, out: buffer(stdout) }
}
const node = (script: string) => [process.execPath, '-e', script]

describe('a client and the process of its agent', () => {
  it('hear each other byte by byte, in any pieces, without an engine', async () => {
    const { stdin, ending, out } = run(node('process.stdin.pipe(process.stdout)'))
    const sent = Buffer.concat([
      Buffer.from('{"id":1,"method":"initialize"}\r\n\n{"text":"ü'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from(`"}\n${'x'.repeat(300_000)}\n{"id":2,"result":null}\nno end`),
    ])
    for (let at = 0; at < sent.length; at += 7_777) stdin.write(sent.subarray(at, at + 7_777))
    stdin.end()
    expect(await ending).toEqual({ exitCode: 0, signal: null, asked: 'person' })
    expect((await out).equals(sent)).toBe(true)
  })

  it('end with each other, and the agent has its environment', async () => {
    const { ending, out } = run(node('console.log(process.env.FROM_PLAN); process.exitCode = 3'))
    expect(await ending).toEqual({ exitCode: 3, signal: null, asked: null })
    expect(String(await out)).toBe('yes\n')
  })

  it('do not come together where the agent can’t be started', async () => {
    await expect(run(['/no/such/agent']).ending).rejects.toMatchObject({ exit: 'cannotRun' })
  })
})
