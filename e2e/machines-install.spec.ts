/** Onward for a machine that has none, over the system's own ssh: shown, refused, done, cut off, taken away again. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { InstallPlan } from '../shared/machines.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { axeViolations } from './dashboard/support/axe.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { newHome, removeHomes, startEngine } from './support/engine-process.ts'
import { onward } from './support/onward-cli.ts'
import { noSshd, startSshMachine, type SshMachine } from './support/ssh-machine.ts'

const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}
let there: SshMachine
let home = ''
const ends: (() => unknown)[] = []
beforeAll(async () => {
  if (noSshd !== null) return
  there = await startSshMachine()
  there.program(null)
  symlinkSync(process.execPath, join(there.person, 'bin/node'))
})
afterAll(async () => {
  await there?.dispose()
  removeHomes()
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  for (const path of ['.local', '.onward', 'bin/tar', 'begun'])
    rmSync(join(there.person, path), { recursive: true, force: true })
})

const at = (path: string) => join(there.person, path)
function fresh(...machines: readonly string[]): void {
  home = newHome()
  ends.push(() => there.endShared(home))
  const known = machines.map((name) => ({ name, target: 'devbox' }))
  if (known.length > 0) writeFileSync(join(home, 'machines.json'), JSON.stringify({ machines: known }))
}
const run = (...words: readonly string[]) => onward(['--home', home, ...words], there.env)
/** The engine that was started there, which lives on by itself. */
function endsWithTest(): number {
  const { pid } = JSON.parse(readFileSync(join(there.home, 'engine.json'), 'utf8')) as { pid: number }
  ends.push(async () => {
    process.kill(pid, 'SIGTERM')
    await waitFor('its engine to end', () => !existsSync(`/proc/${pid}`) || undefined)
  })
  return pid
}
/** Waits for the file that a step of the script there leaves. */
const begun = () => waitFor('it to begin there', () => existsSync(at('begun')) || undefined)

describe('a machine without Onward', unless(noSshd), () => {
  it('is added with all that would be done there; without a terminal nothing is', async () => {
    fresh()
    const added = await run('remote', 'add', 'devbox')
    expect(added).toMatchObject({ code: 0, err: '' })
    for (const part of [
      'There is no `onward` on devbox',
      `Folder      ${at(`.local/share/onward/${version}`)}`,
      `Removed by  ssh devbox "~/.local/bin/onward uninstall --yes; rm -r ~/.local/bin/onward ~/.local/share/onward"`,
      'tar -xzf -',
      'Nothing was done there. It is: ',
    ])
      expect(added.out).toContain(part)
    const asked = await run('remote', 'install', 'devbox', '--json')
    expect(JSON.parse(asked.err)).toMatchObject({ error: { code: 'needs-person', exit: 4 } })
    expect((await run('remote', 'install', 'devbox', '--dry-run')).out).toContain('tar -xzf -')
    expect(existsSync(at('.local'))).toBe(false)
  })

  it('gets this Onward with a yes; its engine hosts terminals; what was shown takes it away', async () => {
    fresh()
    const added = await run('remote', 'add', 'devbox', '--install', '--json')
    expect(added).toMatchObject({ code: 0, err: '' })
    const { plan, reached } = JSON.parse(added.out) as { plan: InstallPlan; reached: unknown }
    const pid = endsWithTest()
    expect(reached).toMatchObject({ started: true, version, engine: { pid, version } })
    expect(readdirSync(at('.local/share/onward'))).toEqual([version])
    // terminals are of node-pty, whose native part came along
    const opened = await run('--on', 'devbox', 'terminals', 'open', 'other', '--', 'cat')
    expect(opened).toMatchObject({ code: 0, err: '' })
    ends.push(() => endTerminalHosts(there.home))
    const listed = await run('remote', 'test', 'devbox', '--json')
    expect(JSON.parse(listed.out)).toMatchObject({ started: false, engine: { pid } })
    expect(await run('remote', 'install', 'devbox', '--yes')).toMatchObject({
      code: 4,
      err: expect.stringContaining(`devbox has Onward ${version}: nothing is to be installed`),
    })
    ends.splice(-2, 1)
    execFileSync('/bin/sh', ['-c', plan.undo], { env: there.env, stdio: 'pipe' })
    await waitFor('its engine to end', () => !existsSync(`/proc/${pid}`) || undefined)
    expect(readdirSync(at('.local'), { recursive: true }).sort()).toEqual(['bin', 'share'])
  })

  it('keeps nothing of one whose line is cut half way, and says so', async () => {
    fresh('devbox')
    // takes what comes and never ends by itself
    writeFileSync(at('bin/tar'), '#!/bin/sh\ntouch ~/begun; exec cat >/dev/null\n', { mode: 0o700 })
    const asked = run('remote', 'install', 'devbox', '--yes', '--json')
    await begun()
    expect(readdirSync(at('.local/share/onward'))).toEqual([expect.stringMatching(/^\.new-\d+$/)])
    // all logins of this home; the archive may have gone by then
    process.kill(there.newest(), 'SIGKILL')
    const { code, err } = await asked
    expect(code).toBe(1)
    expect(JSON.parse(err)).toMatchObject({
      error: { code: 'machine-install-failed', message: expect.stringContaining('onward remote test devbox') },
    })
    await waitFor('it to take itself back', () => !existsSync(at('.local')) || undefined)
  })
})

describe('the settings here', unless(firstOf(noSshd, noBrowser)), () => {
  it('offer it, show it, do nothing without a yes, and install it with one', async () => {
    fresh()
    const near = await startEngine({ home, env: there.env })
    ends.push(() => near.stop())
    const { page, complaints, close } = await openPage({ viewport: { width: 1440, height: 900 } })
    ends.push(close)
    await page.goto(`${await near.dashboard()}&place=settings`)
    await page.getByRole('button', { name: 'Add a machine' }).click()
    const adding = page.getByRole('dialog', { name: 'Add a machine' })
    await adding.getByLabel('Name').fill('devbox')
    await adding.getByRole('button', { name: 'Add and try' }).click()
    const offer = adding.getByRole('button', { name: 'Install Onward there' })
    const plan = page.getByRole('region', { name: 'Install Onward on devbox' })
    await offer.click()
    await plan.getByText(at(`.local/share/onward/${version}`)).waitFor()
    await plan.getByText('All that is run there').click()
    await plan.getByText('tar -xzf -').waitFor()
    mkdirSync(pictures, { recursive: true })
    for (const [width, colorScheme] of [
      [390, 'light'],
      [900, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(pictures, `machines-install-${width}-${colorScheme}.png`) })
      expect(await axeViolations(page)).toEqual([])
      // nothing is pushed out of sight
      expect(await plan.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
    }
    await plan.getByRole('button', { name: 'Not now' }).click()
    expect(existsSync(at('.local'))).toBe(false)
    await offer.click()
    await plan.getByRole('button', { name: 'Install', exact: true }).click()
    await adding.getByText(/It answers in \d+ ms/).waitFor({ timeout: 60_000 })
    endsWithTest()
    expect(existsSync(at('.local/bin/onward'))).toBe(true)
    expect(complaints).toEqual([])
  })
})
