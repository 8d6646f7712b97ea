import { appendFile, chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import { until } from '../../shared/testing/wait-for.ts'
import { sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { verified } from '../engine/terminals/agents/verified.ts'
import { parts as realParts } from './parts.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { partsWith } from './testing/cli-parts.ts'
import { onward } from './testing/test-cli.ts'

const { home, against } = cliHomes()

describe('config', () => {
  it('check needs no engine and says where it is wrong', async () => {
    const { path } = await home()
    await writeFile(join(path, 'config.json'), '{\n  "server": 1 }')
    const parts = partsWith({ checkConfig: realParts.checkConfig })
    expect(await onward(['config', 'check', '--home', path], { parts })).toMatchObject({
      code: 1,
      out: `▲ ${path}/config.json:2:13 server: This must be an object.\n`,
    })
    expect(JSON.parse((await onward(['config', 'check', '--home', path, '--json'], { parts })).out)).toMatchObject({
      ok: false,
      problems: [{ line: 2, path: 'server' }],
    })
    await writeFile(join(path, 'config.json'), '{}')
    expect((await onward(['config', 'check', '--home', path], { parts })).code).toBe(0)
    await rm(join(path, 'config.json'))
    expect((await onward(['config', 'check', '--home', path], { parts })).out).toContain('does not exist')
  })
})

describe('dashboard', () => {
  const link = 'http://127.0.0.1:5520/dashboard/~a/#token=id.key'
  it('prints a new link, alone on its line', async () => {
    const api: Partial<ControlApi> = { dashboardLink: async () => link }
    expect(await against(api, ['dashboard'])).toMatchObject({ code: 0, out: `${link}\n`, err: '' })
    expect(JSON.parse((await against(api, ['dashboard', '--json'])).out)).toEqual({ url: link })
  })
  it('signs out all windows, and makes no link then', async () => {
    let ended = 0
    const api: Partial<ControlApi> = {
      signOutWindows: async () => {
        ended++
      },
    }
    expect((await against(api, ['dashboard', '--sign-out'])).out).toContain('are signed out')
    expect(JSON.parse((await against(api, ['dashboard', '--sign-out', '--json'])).out)).toEqual({ signedOut: true })
    expect(ended).toBe(2)
  })
})

describe('doctor', () => {
  it('says what is wrong and how to mend it, without an engine', async () => {
    const { path } = await home()
    const { code, out } = await onward(['doctor', '--home', path, '--port', '0'], {
      parts: partsWith({ checkConfig: async () => [] }),
      env: { PATH: '/nonexistent' },
    })
    expect(out).toContain('✓ node')
    expect(out).toContain('▲ agents')
    expect(out).toContain('npm install -g @openai/codex')
    expect(code).toBe(1)
  })
  it('says of each agent how its version stands to those that were seen working', async () => {
    const { path } = await home()
    const programs = {
      codex: `echo codex-cli ${verified.codex[0]?.version}`,
      claude: 'echo "99.0.0 (Claude Code)"',
      gemini: 'echo 0.0.1',
      opencode: 'echo hello',
      qwen: 'exit 3',
      kimi: 'exit 1',
    }
    await mkdir(join(path, 'bin'))
    for (const [name, script] of Object.entries(programs))
      await writeFile(join(path, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const { out, code } = await onward(['doctor', '--home', path, '--port', '0'], {
      parts: partsWith({ checkConfig: async () => [] }),
      env: { PATH: `${join(path, 'bin')}:/usr/bin:/bin` },
    })
    const said = (client: string) => new RegExp(`. agent ${client} .*`).exec(out)?.[0]
    expect(said('codex')).toMatch(/^✓ .*: verified\.$/)
    expect(said('claude')).toMatch(/^✓ .*: newer than verified \([\d.]+\)\..*`onward terminals screen`/)
    expect(said('gemini')).toMatch(/^✓ .*: older than verified \([\d.]+\)\.$/)
    expect(said('opencode')).toMatch(/^✓ .*: it does not tell its version\.$/)
    expect(said('qwen')).toMatch(/^▲ .* does not start\.$/)
    expect(out).toMatch(/agent kimi .* does not start\.\n.*It needs Node 22\.19 or newer/)
    expect(code).toBe(1)
  })
  it('says that a home is open to others', async () => {
    const { path } = await home()
    const open = join(path, 'open')
    await mkdir(open)
    await chmod(open, 0o755)
    const { out } = await onward(['doctor', '--home', open, '--port', '0'], {
      parts: partsWith({ checkConfig: async () => [] }),
    })
    expect(out).toContain(`chmod 700 ${open}`)
  })
  it('hands on what the engine found', async () => {
    const finding = { check: 'providers', ok: false, say: 'glm does not answer.', mend: 'Check its baseUrl.' }
    const ran = await against({ doctor: async () => [finding] }, ['doctor', '--json'], {
      parts: partsWith({ checkConfig: async () => [] }),
    })
    expect(JSON.parse(ran.out)).toContainEqual(finding)
    expect(ran.code).toBe(1)
  })
})

describe('logs', () => {
  const line = (n: number) =>
    `${JSON.stringify({ level: n % 2 ? 30 : 50, time: sceneTime + n, msg: `line ${n}`, part: 'gateway' })}\n`
  it('shows the last lines, also of a dead engine', async () => {
    const { path } = await home()
    await mkdir(join(path, 'logs'))
    await writeFile(
      join(path, 'logs', 'engine.log'),
      Array.from({ length: 5000 }, (_, n) => line(n)).join('') + '{"half',
    )
    const { out } = await onward(['logs', '--home', path, '-n', '3'])
    expect(out.split('\n').slice(0, -1)).toEqual([
      '14:12:04.997 info  line 4997 part=gateway',
      '14:12:04.998 error line 4998 part=gateway',
      '14:12:04.999 info  line 4999 part=gateway',
    ])
    expect((await onward(['logs', '--home', path, '-n', '1', '--json'])).out).toBe(line(4999))
  })
  it('goes on with what comes, over a rotation', async () => {
    const { path } = await home()
    await mkdir(join(path, 'logs'))
    const file = join(path, 'logs', 'engine.log')
    await writeFile(file, line(1))
    const end = new AbortController()
    const seen: string[] = []
    const running = onward(['logs', '-f', '--json', '--home', path], {
      untilInterrupted: () => end.signal,
      out: (text) => {
        seen.push(text)
      },
    })
    await until(() => seen.length === 1)
    await appendFile(file, line(2).slice(0, 10))
    await appendFile(file, line(2).slice(10))
    await until(() => seen.length === 2)
    await rename(file, `${file}.1`)
    await writeFile(file, line(3))
    await until(() => seen.length === 3)
    end.abort()
    expect((await running).code).toBe(0)
    expect(seen).toEqual([1, 2, 3].map(line))
  })
  it('says that there is none', async () => {
    const { path } = await home()
    expect((await onward(['logs', '--home', path])).code).toBe(1)
  })
})

describe('register', () => {
  const plan = {
    terminalId: 'term_9',
    argv: [],
    env: { ONWARD_KEY: "a'b", OPENAI_BASE_URL: 'http://127.0.0.1:5520/v1' },
  }
  it('registers a program without a terminal, and prints what it needs only when asked', async () => {
    const asked: unknown[] = []
    const api: Partial<ControlApi> = {
      registerTerminal: async (input) => {
        asked.push(input)
        return plan
      },
    }
    const words = ['register', '--daemon-id', 'bot']
    expect((await against(api, words, { env: {} })).out).not.toContain("a'b")
    expect((await against(api, [...words, '--export'], { env: {} })).out).toBe(
      "export ONWARD_KEY='a'\\''b'\nexport OPENAI_BASE_URL='http://127.0.0.1:5520/v1'\n",
    )
    expect(asked[0]).toMatchObject({ client: 'other', daemonId: 'bot', place: { kind: 'none' } })
  })
})
