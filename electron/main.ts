/** The desktop app: one engine, its own or one it attaches to, with tray, window and notifications around it. */
import { app, dialog } from 'electron'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { version } from '../package.json'
import { attachToEngine } from './attached-engine.ts'
import { messageOf } from './engine/base/errors.ts'
import type { Log } from './engine/base/log.ts'
import type { Notify } from './engine/host.ts'
import { findRunningEngine } from './engine/control/attach.ts'
import { readControlToken } from './engine/control/token.ts'
import { startEngine } from './engine/engine.ts'
import { createNodeHost } from './node-host.ts'
import { startDesktop } from './shell/desktop.ts'
import type { EngineLink } from './shell/engine-link.ts'
import { desktopNotify } from './shell/notifications.ts'
import type { DashboardWindow } from './shell/window.ts'

const home = resolve(process.env.ONWARD_HOME || join(homedir(), '.onward'))
const port = process.env.ONWARD_PORT ? Number(process.env.ONWARD_PORT) : null
/** how long another engine may take to end after it was asked */
const HAND_OVER_MS = 5_000

if (app.requestSingleInstanceLock()) {
  app.setAsDefaultProtocolClient('onward')
  app.whenReady().then(run).catch((error: unknown) => {
    dialog.showErrorBox('Onward could not start', messageOf(error))
    app.exit(1)
  })
} else {
  // The first instance gets `second-instance` and comes to the front.
  app.quit()
}

async function run(): Promise<void> {
  let window: DashboardWindow | null = null
  let link: EngineLink | null = null
  const notify: Notify = desktopNotify({
    isOnScreen: (sessionId) => window !== null && window.isOnScreen() && window.place === `session/${sessionId ?? ''}`,
    open: (sessionId) => window?.open(sessionId === null ? 'sessions' : `session/${sessionId}`),
    act: (notice, action) => { if (action === 're-arm' && notice.sessionId !== null) void link?.rearm(notice.sessionId) },
  })
  const { host, dispose } = await createNodeHost({ home, env: process.env, version, notify })
  link = (await attached(host.log, notify)) ?? (await owned(host, dispose))
  const resources = app.isPackaged ? process.resourcesPath : app.getAppPath()
  window = startDesktop({
    link,
    log: host.log,
    iconFolder: join(resources, 'build/icons'),
    preload: join(import.meta.dirname, '../preload/preload.cjs'),
    now: () => host.clock.now(),
    openWindow: !process.argv.includes('--hidden'),
    argv: process.argv,
  }).window
}

async function owned(host: Parameters<typeof startEngine>[0], disposeHost: () => Promise<void>): Promise<EngineLink> {
  const engine = await startEngine(host, { port, onHandOver: () => app.quit() })
  return {
    owned: true,
    dashboardUrl: engine.dashboardUrl,
    follow: (signal) => engine.api.follow(signal),
    pause: (session) => engine.api.pause(session),
    resume: (session) => engine.api.resume(session),
    rearm: (session) => engine.api.rearmStopMessage(session),
    async dispose() {
      await engine.dispose()
      await disposeHost()
    },
  }
}

/** Asks a running engine to hand over; where it does not, the desktop becomes its window. null: there is none now. */
async function attached(log: Log, notify: Notify): Promise<EngineLink | null> {
  const info = await findRunningEngine(home)
  const token = info && (await readControlToken(home))
  if (!info || !token) return null
  const other = attachToEngine(info, token)
  try {
    await other.handOver()
    for (let waited = 0; waited < HAND_OVER_MS; waited += 100) {
      if ((await findRunningEngine(home)) === null) {
        await other.dispose()
        return null
      }
      await new Promise((done) => setTimeout(done, 100))
    }
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'the running engine did not hand over')
  }
  return withNotices(other, notify)
}

/** An engine elsewhere has no desktop: its notices are shown here as they come by. */
function withNotices(link: EngineLink, notify: Notify): EngineLink {
  return {
    ...link,
    async *follow(signal) {
      for await (const update of link.follow(signal)) {
        if (update.type === 'notice') void notify(update.notice)
        yield update
      }
    },
  }
}
