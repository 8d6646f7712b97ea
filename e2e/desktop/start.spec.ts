import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { evaluateIn } from './support/double.ts'
import { noDesktop, onlyDouble, startAgain, startDesktop, type DesktopApp } from './support/desktop.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const artifacts = resolve(import.meta.dirname, '../.artifacts/desktop')
afterAll(removeHomes)

describe('the desktop app', unless(noDesktop), () => {
  let desktop: DesktopApp
  beforeAll(async () => {
    desktop = await startDesktop()
  })
  afterAll(async () => {
    await desktop?.close()
  })

  it('shows the dashboard of its own engine, and the token does not stay in the address', async () => {
    const page = await desktop.page()
    await page.locator('.statusbar').getByText(`127.0.0.1:${desktop.port}`).waitFor()
    const { origin, pathname, hash } = new URL(page.url())
    expect(origin).toBe(desktop.baseUrl)
    expect(pathname).toMatch(/^\/dashboard\/~[\w-]{12}\/$/)
    expect(hash).toBe('#/sessions')
    mkdirSync(artifacts, { recursive: true })
    await page.screenshot({ path: `${artifacts}/window.png` })
  })

  it('runs on the simulator while no provider is configured', async () => {
    const status = await desktop.control.api.status.query()
    expect(status.simulator).toBe(true)
    expect(status.pid).toBe(desktop.pid)
  })

  it('gives its page no Node, and only what the bridge says', async () => {
    const page = await desktop.page()
    const seen = await page.evaluate(() => ({
      require: typeof Reflect.get(globalThis, 'require'),
      process: typeof Reflect.get(globalThis, 'process'),
      shell: JSON.stringify(Reflect.get(globalThis, 'onwardShell')),
      frozen: Object.isFrozen(Reflect.get(globalThis, 'onwardShell')),
    }))
    expect(seen).toEqual({
      require: 'undefined',
      process: 'undefined',
      shell: JSON.stringify({ platform: process.platform }),
      frozen: true,
    })
  })

  it('sends the page’s scripts through the policy that the engine serves', async () => {
    const response = await fetch(`${desktop.baseUrl}/dashboard/`)
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self'/)
    const page = await desktop.page()
    expect(
      await page.evaluate(() => {
        const script = document.createElement('script')
        script.textContent = 'globalThis.injected = true'
        document.body.append(script)
        return 'injected' in globalThis
      }),
    ).toBe(false)
  })
})

describe('the desktop app, seen from inside', unless(firstOf(noDesktop, onlyDouble)), () => {
  let desktop: DesktopApp
  beforeAll(async () => {
    desktop = await startDesktop()
  })
  afterAll(async () => {
    await desktop?.close()
  })

  it('asks Electron for an isolated, sandboxed page', async () => {
    const preferences = await evaluateIn(desktop.app)(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.options.webPreferences,
      null,
    )
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
    })
    expect(await evaluateIn(desktop.app)(({ app }) => app.sandboxed, null)).toBe(true)
  })

  it('keeps the page where it is: no navigation away, no window, only web links that a person asked for', async () => {
    const page = await desktop.page()
    await page.locator('.statusbar').waitFor()
    const before = page.url()
    const leaves = async (url: string) => waitFor(url, async () => (await desktop.state()).opened.at(-1) === url)
    // A script of the page, were there one of somebody else's, can send nobody anywhere.
    await page.evaluate(() => {
      window.location.href = 'https://example.com/away'
      window.open('https://example.com/popup')
      const link = Object.assign(document.createElement('a'), { href: 'https://example.com/link', target: '_blank' })
      document.body.append(link)
      link.click()
      link.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }))
      link.remove()
      window.open('https://example.com/after')
    })
    const links = [
      'https://example.com/here',
      'https://example.com/new',
      'file:///etc/passwd',
      'https://example.com/once',
    ]
    await page.evaluate((all) => {
      for (const [i, href] of all.entries()) {
        const link = Object.assign(document.createElement('a'), { href, id: `link-${i}`, textContent: `link ${i}` })
        if (i > 0) link.target = '_blank'
        link.style.cssText = `position:fixed;z-index:9999;top:0;left:${i * 80}px;background:white`
        document.body.append(link)
      }
      // Behind what the person asked for comes what they did not.
      document.querySelector('#link-3')?.addEventListener('click', () => {
        setTimeout(() => window.open('https://example.com/twice'))
      })
    }, links)
    await page.mouse.move(400, 400)
    await page.evaluate(() => window.open('https://example.com/moved'))
    await page.locator('#link-0').click()
    await leaves('https://example.com/here')
    await page.locator('#link-1').focus()
    await page.keyboard.press('Enter')
    await leaves('https://example.com/new')
    await page.locator('#link-2').click()
    await page.locator('#link-3').click()
    await leaves('https://example.com/once')
    await page.evaluate(() => window.open('https://example.com/later'))
    await page.locator('#link-1').click()
    await waitFor('the last', async () => (await desktop.state()).opened.length === 4)
    expect((await desktop.state()).opened).toEqual([
      'https://example.com/here',
      'https://example.com/new',
      'https://example.com/once',
      'https://example.com/new',
    ])
    await page.evaluate(() => {
      for (const link of document.querySelectorAll('[id^="link-"]')) link.remove()
    })
    await waitFor('no other window', () => desktop.app.windows().length === 1)
    expect(page.url()).toBe(before)
    expect(await page.locator('.statusbar').count()).toBe(1)
  })

  it('grants copying and nothing else', async () => {
    await (await desktop.page()).locator('.statusbar').waitFor()
    const granted = await evaluateIn(desktop.app)(
      ({ session, BrowserWindow }, permissions) =>
        permissions.filter((permission) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents ?? null
          let yes = false
          session.defaultSession.permissionRequest(contents, permission, (answer) => {
            yes = answer
          })
          return (
            yes ||
            session.defaultSession.permissionCheck(contents, permission) ||
            session.defaultSession.permissionCheck(null, permission)
          )
        }),
      [
        'clipboard-sanitized-write',
        'clipboard-read',
        'media',
        'geolocation',
        'notifications',
        'openExternal',
        'fullscreen',
        'midi',
        'serial',
      ],
    )
    expect(granted).toEqual(['clipboard-sanitized-write'])
  })

  it('has a menu of its own with quit, copy and zoom', async () => {
    expect((await desktop.state()).appMenu).toEqual(['Onward', 'editMenu', 'viewMenu', 'windowMenu'])
  })
})

describe('started', unless(noDesktop), () => {
  it('hidden, it has a tray and no window, until one is asked for', unless(onlyDouble), async () => {
    const desktop = await startDesktop({ args: ['--hidden'] })
    try {
      expect((await desktop.tray()).icon).toBe('idle-light.png')
      expect((await desktop.state()).windows).toEqual([])
      await desktop.choose('Open dashboard')
      await (await desktop.page()).locator('.statusbar').waitFor()
      await waitFor('the window', async () => (await desktop.state()).windows[0]?.visible)
    } finally {
      await desktop.close()
    }
  })

  it('for the first time, as its menu entry starts it, its window leads to the first steps', async () => {
    const desktop = await startDesktop()
    try {
      const page = await desktop.page()
      await page.locator('.statusbar').waitFor()
      await page.getByRole('button', { name: 'Set up Onward' }).first().click()
      await page.waitForURL('**/#/setup')
    } finally {
      await desktop.close()
    }
  })

  it(
    'at login it opens none, also when it is started so again; a start by a person brings it to the front',
    unless(onlyDouble),
    async () => {
      const desktop = await startDesktop({ args: ['--hidden'] })
      try {
        const again = async (args: readonly string[]) => {
          const child = startAgain(desktop.home, args)
          return new Promise((done) => child.once('exit', done))
        }
        expect(await again(['--hidden'])).toBe(0)
        expect((await desktop.state()).windows).toEqual([])
        expect(await again([])).toBe(0)
        await waitFor('the window', async () => (await desktop.state()).windows[0]?.focused)
        expect(await again([])).toBe(0)
        expect((await desktop.state()).windows).toHaveLength(1)
      } finally {
        await desktop.close()
      }
    },
  )

  it('with a deep link, it opens there', async () => {
    const desktop = await startDesktop({ args: ['onward://session/ses%2F1'] })
    try {
      await (await desktop.page()).waitForURL('**/#/session/ses%2F1')
    } finally {
      await desktop.close()
    }
  })

  it('in Chinese, it speaks Chinese', unless(onlyDouble), async () => {
    const desktop = await startDesktop({ env: { LANG: 'zh_CN.UTF-8', LC_ALL: 'zh_CN.UTF-8', DOUBLE_LOCALE: 'zh-CN' } })
    try {
      expect((await desktop.tray()).menu.map((entry) => entry.label)).toContain('全部暂停')
    } finally {
      await desktop.close()
    }
  })
})

describe('the double', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('throws on what it does not have, never answers nothing', async () => {
    const desktop = await startDesktop({ args: ['--hidden'] })
    try {
      const evaluate = evaluateIn(desktop.app)
      const look = (path: string) =>
        evaluate((electron, keys) => {
          let at: unknown = electron
          for (const key of keys.split('.')) at = Reflect.get(at as object, key)
          return typeof at
        }, path)
      await expect(look('safeStorage')).rejects.toThrow(/safeStorage is not built/)
      await expect(look('app.getFileIcon')).rejects.toThrow(/app.getFileIcon is not built/)
      expect(await look('app.quit')).toBe('function')
    } finally {
      await desktop.close()
    }
  })
})
