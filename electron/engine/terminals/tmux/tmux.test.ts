import fc from 'fast-check'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { systemRandom } from '../../base/ids.ts'
import { skippingClock } from '../../base/testing/skipping-clock.ts'
import { hostileText, longText, worstTexts } from '../testing/hostile-texts.ts'
import type { ReaderFile } from '../testing/reader-pty.ts'
import { tmuxMissing, tmuxServer, type TmuxServer } from '../testing/tmux-server.ts'
import { typeWhenFree } from '../testing/type-when-free.ts'
import { makeSafe } from '../safe-text.ts'
import type { TypeControl, TypingTarget } from '../types.ts'
import { systemProcReader } from '../process/index.ts'
import { createTmux, type TmuxPanes } from './index.ts'
import { panePort } from './pane-port.ts'
import { tmuxRunner } from './run-tmux.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import { unless } from '../../../../shared/testing/unless.ts'

const never: TypeControl = { requestArrived: new AbortController().signal, stop: new AbortController().signal }
const random = systemRandom()

describe('a tmux pane', unless(tmuxMissing), () => {
  let server: TmuxServer
  let panes: TmuxPanes
  let sessions = 0
  let entries = 0
  const clock = skippingClock()
  beforeAll(async () => {
    server = tmuxServer()
    await server.shell('kept')
    // where a service has no locale, tmux must still tell titles in UTF-8
    panes = createTmux({
      clock,
      log: silentLog,
      random,
      env: { PATH: process.env.PATH, TMUX: `${server.socket},1,0` },
    })
  })
  // whoever lists agents goes through all processes for each pane
  afterEach(() => server.run('kill-session', '-a', '-t', 'kept'))
  afterAll(() => {
    panes.dispose()
    server.dispose()
  })

  interface Opened {
    paneId: string
    session: string
    file: ReaderFile
    target: TypingTarget
    type(text: string): ReturnType<TypingTarget['type']>
  }
  const open = async (...flags: string[]): Promise<Opened> => {
    const session = `agent-${++sessions}`
    return opened(await server.shell(session), session, ...flags)
  }
  const opened = async (paneId: string, session: string, ...flags: string[]): Promise<Opened> => {
    const file = await server.reader(paneId, ...flags)
    const pane = await panes.describe({ socket: server.socket, paneId })
    const target = panes.target({
      terminalId: session,
      client: 'codex',
      command: 'codex',
      pane,
      typing: { gapMs: { short: 40, long: 80 }, patienceMs: 1_500, pollMs: 20 },
    })
    return {
      paneId,
      session,
      file,
      target,
      type: (text) => target.type({ entryId: `e${++entries}`, text, client: 'codex' }, never),
    }
  }
  const ready = ({ target }: Opened) => waitFor('an idle pane', async () => (await target.read()).kind === 'ready')
  const holds = async ({ target }: Opened) => {
    const reading = await target.read()
    return reading.kind === 'hold' ? reading.reason.code : reading.kind
  }
  const onePasteAndEnter = (safe: string) => `\u001b[200~${safe.replaceAll('\n', '\r')}\u001b[201~\r`

  it('gets one paste and one Enter, and only that pane', async () => {
    const [one, other] = [await open(), await open()]
    await ready(one)
    expect(await one.type('one\ntwo')).toEqual({ kind: 'submitted', extraEnter: false })
    expect(one.file.read()?.toString()).toBe('\u001b[200~one\rtwo\u001b[201~\r')
    expect(other.file.read()?.toString()).toBe('')
    expect(server.run('list-buffers')).toBe('')
  })

  it('gets exactly the safe text and Enter, whatever the text', async () => {
    const pane = await open()
    const typed = async (text: string) => {
      await ready(pane)
      const before = pane.file.read()?.length ?? 0
      const { kind } = await typeWhenFree(() => pane.type(text))
      return { bytes: pane.file.read()?.subarray(before).toString(), kind }
    }
    const expected = (text: string) => {
      const safe = makeSafe(text)
      return safe === '' ? { bytes: '', kind: 'failed' } : { bytes: onePasteAndEnter(safe), kind: 'submitted' }
    }
    for (const text of [...worstTexts, longText]) expect(await typed(text)).toEqual(expected(text))
    // tmux shows nothing of the rarest letters: with nothing else in a text, Enter would rightly be kept back
    await fc.assert(
      fc.asyncProperty(
        hostileText.map((text) => `${text}ok`),
        async (text) => {
          expect(await typed(text)).toEqual(expected(text))
        },
      ),
      runs(20, { endOnFailure: true }),
    )
  }, 60_000)

  it('is held while the person reads in copy mode, or any other mode is open', async () => {
    const pane = await open()
    await ready(pane)
    server.run('copy-mode', '-t', pane.paneId)
    expect(await pane.type('scrolled away')).toEqual({ kind: 'held', reason: { code: 'copy-mode' } })
    server.run('send-keys', '-t', pane.paneId, '-X', 'cancel')
    expect((await pane.type('scrolled away')).kind).toBe('submitted')
    expect(pane.file.read()?.toString()).toBe(onePasteAndEnter('scrolled away'))
    await ready(pane)
    for (const [command, mode] of [
      ['clock-mode', 'clock-mode'],
      ['customize-mode', 'options-mode'],
    ] as const) {
      server.run(command, '-t', pane.paneId)
      expect(await pane.type('not now')).toEqual({ kind: 'held', reason: { code: 'tmux-mode', mode } })
      server.run('send-keys', '-t', pane.paneId, 'q')
    }
  })

  it('takes no key for a look that a person has typed after, though another look has seen that since', async () => {
    const pane = await open()
    await ready(pane)
    const port = panePort({
      pane: await panes.describe({ socket: server.socket, paneId: pane.paneId }),
      client: 'codex',
      command: ['codex'],
      run: tmuxRunner({ PATH: process.env.PATH }),
      reader: systemProcReader(process.platform),
      random,
      onGone: () => undefined,
    })
    const seen = await port.assess()
    server.run('send-keys', '-t', pane.paneId, '-l', 'mine')
    await waitFor('the person’s keys', async () => (await port.assess()).composer.kind === 'text')
    expect(await port.writeText('ours', { bracketed: true, seen })).toBe('moved')
    expect(await port.pressEnter(seen)).toBe('moved')
    expect(await port.eraseLine(seen)).toBe('moved')
    expect(pane.file.read()?.toString()).toBe('mine')
    const now = await port.assess()
    server.run('copy-mode', '-t', pane.paneId)
    expect(await port.pressEnter(now)).toBe('moved')
  })

  it('is not typed into while it shares its input with other panes', async () => {
    const pane = await open()
    await ready(pane)
    server.run('set-option', '-w', '-t', pane.paneId, 'synchronize-panes', 'on')
    expect((await pane.type('to all')).kind).toBe('held')
    expect(pane.file.read()?.toString()).toBe('')
  })

  it('is held while a dialog is open', async () => {
    const pane = await open()
    await ready(pane)
    process.kill(pane.file.pid() ?? 0, 'SIGUSR2')
    await waitFor('the dialog', async () => (await holds(pane)) === 'dialog-open')
    expect((await pane.type('go on')).kind).toBe('held')
    expect(pane.file.read()?.toString()).toBe('')
  })

  it('keeps Enter from a dialog that swallowed the text', async () => {
    const pane = await open('--dialog-on', 'text')
    await ready(pane)
    expect(await pane.type('go on')).toMatchObject({ kind: 'enter-owed', reason: { code: 'dialog-open' } })
    expect(pane.file.approved()).toBe(false)
  })

  it('is held over a draft, and when the agent has quit to its shell', async () => {
    const pane = await open()
    await ready(pane)
    server.run('send-keys', '-t', pane.paneId, '-l', 'half a li')
    await waitFor('the draft', async () => (await holds(pane)) === 'composer-holds')
    expect(await pane.type('go on')).toEqual({ kind: 'held', reason: { code: 'draft' } })
    server.run('send-keys', '-t', pane.paneId, 'C-c')
    await waitFor('the shell', async () => (await holds(pane)) === 'shell-in-front')
    expect(await pane.type('touch pwned')).toEqual({
      kind: 'held',
      reason: { code: 'shell-in-front', program: 'bash' },
    })
    expect(pane.file.read()?.toString()).toBe('half a li\u0003')
    expect(server.run('capture-pane', '-p', '-t', pane.paneId)).not.toContain('touch')
  })

  it('is gone when it is closed, and a pane id given out again is not taken for it', async () => {
    const pane = await open()
    const registered = await panes.describe({ socket: server.socket, paneId: pane.paneId })
    const impostor = panes.target({
      terminalId: 'x',
      client: 'codex',
      command: 'codex',
      pane: { ...registered, panePid: (registered.panePid ?? 0) + 1 },
    })
    expect(await impostor.read()).toEqual({
      kind: 'gone',
      reason: { code: 'terminal-gone', why: `the tmux pane ${pane.paneId} is another one now` },
    })
    server.run('kill-pane', '-t', pane.paneId)
    expect((await pane.target.read()).kind).toBe('gone')
    expect((await pane.type('anybody?')).kind).toBe('failed')
    expect(panes.lastKnown(registered)).toBe('gone')
    await expect(panes.describe({ socket: server.socket, paneId: pane.paneId })).rejects.toThrow(/no pane/)
  })

  it('tells when it changes, and only while somebody listens', async () => {
    const pane = await open()
    await ready(pane)
    let changes = 0
    const listening = pane.target.onChange(() => {
      changes++
    })
    server.run('send-keys', '-t', pane.paneId, '-l', 'x')
    await waitFor('a change', () => {
      clock.skip(1_000)
      return changes > 0
    })
    listening.dispose()
  })

  it('is found by its terminal device when exactly the agent is in front', async () => {
    const pane = await open()
    const tty = server.run('display-message', '-p', '-t', pane.paneId, '#{pane_tty}')
    const sessionId = server.run('display-message', '-p', '-t', pane.paneId, '#{session_id}')
    expect(await panes.paneOfTty(tty, [])).toMatchObject({
      client: 'codex',
      pane: { socket: server.socket, paneId: pane.paneId },
      tmuxSessionId: sessionId,
    })
    expect(await panes.paneOfTty('/dev/pts/none', [server.socket])).toBeNull()
    server.run('send-keys', '-t', pane.paneId, 'C-c')
    await waitFor('the shell', async () => (await holds(pane)) === 'shell-in-front')
    expect(await panes.paneOfTty(tty, [server.socket])).toBeNull()
  })

  it('is listed with its agent, once, on every server that is asked', async () => {
    const [pane, shell] = [await open(), await server.shell(`shell-${++sessions}`)]
    const second = tmuxServer()
    try {
      const other = await second.shell('elsewhere')
      await second.reader(other)
      const listed = await panes.agents([second.socket, second.socket, '/nowhere/at/all'])
      const places = listed.map((found) => `${found.pane.socket} ${found.pane.paneId}`)
      expect(places).toContain(`${server.socket} ${pane.paneId}`)
      expect(places).toContain(`${second.socket} ${other}`)
      expect(places).not.toContain(`${server.socket} ${shell}`)
      expect(new Set(places).size).toBe(places.length)
    } finally {
      second.dispose()
    }
  })

  it('tells who is in front of exactly the pane that is meant', async () => {
    const pane = await open()
    const { socket } = server
    const { panePid } = await panes.describe({ socket, paneId: pane.paneId })
    const pid = panePid ?? 0
    expect(await panes.agentOf({ socket, paneId: pane.paneId, pid })).toMatchObject({
      client: 'codex',
      name: pane.session,
      pane: { socket, paneId: pane.paneId, panePid: pid },
    })
    await expect(panes.agentOf({ socket, paneId: pane.paneId, pid: pid + 1 })).rejects.toMatchObject({
      code: 'pane-changed',
    })
    await expect(panes.agentOf({ socket, paneId: '%9999', pid })).rejects.toMatchObject({ code: 'pane-unknown' })
    server.run('send-keys', '-t', pane.paneId, 'C-c')
    await waitFor('the shell', async () => (await panes.agentOf({ socket, paneId: pane.paneId, pid })) === null)
  })

  it.each(['-x #(touch ran) #{pane_id} 100%d %H a:b.c;', 'two\n%0 1 0 0 0 1 80 24 $0'])(
    'is known by its id, whatever its folder and session are called: %j',
    async (name) => {
      const folder = await mkdtemp(join(tmpdir(), 'onward-folder-'))
      const cwd = join(folder, name)
      await mkdir(cwd)
      const paneId = await server.shell(`s ${name.replaceAll('#', '##')} ${++sessions}`, cwd)
      const pane = await opened(paneId, `named-${sessions}`)
      const { socket } = server
      const { panePid } = await panes.describe({ socket, paneId })
      expect(await panes.agentOf({ socket, paneId, pid: panePid ?? 0 })).toMatchObject({ cwd })
      const listed = await panes.agents([socket])
      expect(listed.filter((found) => found.pane.paneId === paneId)).toMatchObject([{ cwd }])
      expect(new Set(listed.map((found) => found.pane.socket))).toEqual(new Set([socket]))
      await ready(pane)
      const text = `do ${name.replaceAll('\n', ' ')} #{pane_id};`
      expect((await pane.type(text)).kind).toBe('submitted')
      expect(pane.file.read()?.toString()).toBe(onePasteAndEnter(makeSafe(text)))
      expect((await readdir(folder, { recursive: true })).filter((file) => file.endsWith('/ran'))).toEqual([])
      await rm(folder, { recursive: true })
    },
  )

  it('is told with a title outside ASCII', async () => {
    const pane = await open()
    await ready(pane)
    server.run('select-pane', '-t', pane.paneId, '-T', '⠹ a task')
    expect(await holds(pane)).toBe('agent-busy')
  })
})

it('is unknown, not gone, when tmux can’t be asked', async () => {
  const panes = createTmux({
    clock: systemClock(),
    log: silentLog,
    random,
    env: {},
    run: async () => ({ ok: false, gone: false, why: 'spawn tmux ENOENT' }),
  })
  const pane = { socket: '/nowhere', paneId: '%0', panePid: 1, tmuxSession: 's' }
  expect(await panes.whyGone(pane)).toBeNull()
  const target = panes.target({ terminalId: 't', client: 'codex', command: 'codex', pane })
  await expect(target.read()).rejects.toThrow(/did not answer/)
  expect(await target.type({ entryId: 'e', text: 'x', client: 'codex' }, never)).toEqual({
    kind: 'held',
    reason: { code: 'screen-unread' },
  })
  panes.dispose()
})

it('says that a server is gone', async () => {
  const panes = createTmux({ clock: systemClock(), log: silentLog, random, env: { PATH: process.env.PATH } })
  expect(await panes.whyGone({ socket: '/nowhere/at/all', paneId: '%0', panePid: 1, tmuxSession: 's' })).toBe(
    tmuxMissing ? null : 'the tmux pane %0 is gone',
  )
  panes.dispose()
})
