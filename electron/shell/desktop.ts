import { Menu, Notification, app, clipboard, powerMonitor, session } from 'electron'
import { join } from 'node:path'
import { messageOf } from '../engine/base/errors.ts'
import type { EngineHost, NoticeResult } from '../engine/host.ts'
import { sentencesOf } from '../../shared/sentences/index.ts'
import type { ShellState } from '../../shared/commands/shell-calls.ts'
import type { Notice } from '../../shared/state.ts'
import type { Language } from '../../shared/words.ts'
import { appMenu } from './window/app-menu.ts'
import { createDialogs, type Dialogs } from './dialogs.ts'
import type { EngineLink } from './life/engine-link.ts'
import { guardWebContents } from './guards.ts'
import { keepLinked } from './life/keep-linked.ts'
import { linuxNotifications, notificationServerOf } from './notifications/linux-notifications.ts'
import type { Memory } from './system/memory.ts'
import { createNoticeActions } from './notifications/notice-actions.ts'
import { createNotifications } from './notifications/notifications.ts'
import { commandSaid, createInstalledApp } from './system/installed-app.ts'
import { isDashboard } from './window/own-page.ts'
import { atWork, dependents, isRinging, noPicture, pictureAfter, type Picture } from './tray/picture.ts'
import type { Install } from '../installed/install.ts'
import { linkTo } from './window/place.ts'
import { answerPage } from './window/page-calls.ts'
import { createQuitting, type Quitting } from './life/quitting.ts'
import type { Opener } from './window/opens.ts'
import { spaced } from './tray/spaced.ts'
import { isTrayShown, trayState, waitForTray } from './tray/tray-presence.ts'
import { createTray } from './tray/tray.ts'
import { takeOverOlder } from './life/take-over.ts'
import type { TrayAction } from './tray/tray-menu.ts'
import { trayView } from './tray/tray-view.ts'
import type { UpdateSource } from './updates/source.ts'
import { createUpdates, type Updates } from './updates/updates.ts'
import { createDashboardWindow } from './window/window.ts'
import { desktopWords } from './words.ts'

/** Each drawing looks at every session, in the process in which the engine answers requests. */
const trayDrawnEachMs = 200

export interface DesktopOptions {
  host: Pick<EngineHost, 'home' | 'clock' | 'log' | 'env'>
  first: EngineLink
  connect(): Promise<EngineLink>
  memory: Memory
  /** last of all, when everything that logs or connects has ended */
  dispose(): Promise<void>
  language: Language
  iconFolder: string
  preload: string
  hidden: boolean
  /** of this Onward */
  version: string
  /** how it came here */
  install: Install
  /** null: it is not replaced from within */
  updates: UpdateSource | null
  /** the page's process ended by itself */
  pageCrashed(why: string): void
}

export interface Desktop {
  open: Opener
  notify(notice: Notice): Promise<NoticeResult>
  /** another host takes the engine over, or a signal came */
  quitNow(): void
}

/** The parts of the desktop that others use. */
interface Parts {
  options: DesktopOptions
  link(): EngineLink
  picture(): Picture
  words(): ReturnType<typeof desktopWords>
  dialogs: Dialogs
  updates(): Updates
  quit(): void
  isOwnPage(url: string): boolean
  /** what the page is told of the desktop */
  state(): ShellState
  takeOver(): Promise<boolean>
  /** says so when it fails */
  attempt(label: string, doing: Promise<unknown>): void
}

/** Tray, window, notifications and lifecycle around one engine at a time. Call after `app.whenReady()`. */
export function startDesktop(options: DesktopOptions): Desktop {
  const { clock, log } = options.host
  let link = options.first
  let picture = noPicture(options.language)
  const words = () => desktopWords(picture.language)
  const isOwnPage = (url: string) => isDashboard(url, link.origin)
  guardWebContents(isOwnPage, log, () => clock.monotonic())

  const dialogs = createDialogs(() => picture.language, log)
  const parts: Parts = {
    options,
    link: () => link,
    picture: () => picture,
    words,
    dialogs,
    updates: () => updates,
    quit: () => quitting.ask(),
    isOwnPage,
    state: () => ({
      update: updates.state(),
      older: link.older ? { engine: link.older.version, app: options.version, service: link.older.service } : null,
    }),
    takeOver: () => takeOver(parts),
    attempt(label, doing) {
      doing.catch((error: unknown) => dialogs.trouble(words().notDone(label), error))
    },
  }
  const menus = showMenus(parts, (place) => open(place))
  const { installed } = menus
  const { window, open, notifications } = showPages(parts, menus)
  /** @param how an engine has come or gone, which is shown at once; not given: something changed in it */
  const draw = (next: Picture, how?: 'come-or-gone') => {
    const isAnotherLanguage = next.language !== picture.language
    picture = next
    if (isAnotherLanguage) menus.drawApp()
    if (how) menus.trayDrawing.now()
    else menus.trayDrawing.ask()
    installed.check()
    updates.settings(picture.status?.updates ?? { check: false, download: false })
    updates.agentsChanged()
  }
  const drawShell = () => {
    menus.trayDrawing.ask()
    window.shellChanged(parts.state())
  }
  /** An engine of another process goes on without this one. */
  const working = () => (link.owned ? atWork(picture) : [])
  const updates = createUpdates({
    clock,
    log,
    how: options.install.kind,
    source: options.updates,
    onChange: drawShell,
    busy: () => working().length > 0,
    mayRestart: () => dialogs.mayRestart(working()),
    quit: () => quitting.now(),
  })
  menus.drawApp()
  draw(picture)
  installed.seat
    .read()
    .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'the installation is not known'))

  const linked = keepLinked({
    clock,
    first: link,
    connect: options.connect,
    onLink(next) {
      link = next
      window.accessChanged()
      drawShell()
    },
    onUpdate(update, from) {
      // An engine elsewhere has no desktop of its own: its notices are shown here as they come by.
      if (update.type === 'notice') {
        if (!from.owned) void notifications.show(update.notice)
      } else if (update.type === 'windows-signed-out') {
        window.accessChanged()
      } else if (update.type !== 'event')
        draw(pictureAfter(picture, update), update.type === 'snapshot' ? 'come-or-gone' : undefined)
    },
    onLost() {
      log.error({}, 'the engine went away; another one is looked for')
      draw(noPicture(picture.language), 'come-or-gone')
    },
    onTrouble: (error, doing) => log.error({ error: messageOf(error), doing }, 'trouble with the engine'),
  })
  const quitting = createQuitting({
    clock,
    log,
    dependents: () => (link.owned ? dependents(picture) : []),
    confirm: dialogs.mayQuit,
    finish: async () => link.finish?.(),
    async end() {
      updates.dispose()
      await updates.beforeEnd()
      window.destroy()
      menus.trayDrawing.dispose()
      menus.tray?.dispose()
      await linked.dispose()
      await options.memory.flush()
      await options.dispose()
    },
    exit: () => {
      if (!updates.finish()) app.quit()
    },
  })
  listenToSystem(parts, quitting)
  if (options.hidden) {
    app.dock?.hide()
    void waitForTray(clock, menus.trayShown).then((shown) => {
      if (!shown) open(null)
    })
  }
  return { open, notify: (notice) => notifications.show(notice), quitNow: () => quitting.now() }
}

/** The window with the dashboard, and the notifications that lead to it. */
function showPages(parts: Parts, { installed, trayShown }: Menus) {
  const { options, link, picture, words, dialogs, isOwnPage } = parts
  const {
    memory,
    host: { clock, log, env },
  } = options
  const icon = join(options.iconFolder, 'app-256.png')
  answerPage({
    isOwnPage,
    picture,
    trouble: (error) => dialogs.trouble(words().notOpened, error),
    installation: installed.seat,
    uninstall: installed.uninstall,
    state: parts.state,
    update: (request) => parts.updates().request(request),
    takeOver: parts.takeOver,
  })
  const explainHiding = () => {
    if (memory.get().hidingExplained || !Notification.isSupported()) return
    const note = new Notification({ title: words().hiddenTitle, body: words().hiddenBody })
    note.on('show', () => memory.set({ hidingExplained: true }))
    note.show()
  }
  let stayingExplained = false
  const explainStaying = () => {
    if (stayingExplained || !Notification.isSupported()) return
    stayingExplained = true
    const gnome = trayState(false, env) === 'none-on-gnome'
    new Notification({ title: words().keptTitle, body: gnome ? words().keptOnGnome : words().keptBody }).show()
  }
  const window = createDashboardWindow({
    async url(place) {
      await forgetPage()
      return linkTo(await link().dashboardLink(), place)
    },
    isOwnPage,
    preload: options.preload,
    icon,
    saved: () => memory.get().window,
    save: (state) => memory.set({ window: state }),
    isTrayShown: trayShown,
    onHidden: explainHiding,
    onKept: explainStaying,
    onCrashed: options.pageCrashed,
    onSessionSeen: (session) => notifications.seen(session),
    onTrouble: (why) => dialogs.trouble(words().pageFailed, why),
    now: () => clock.now(),
  })
  const open: Opener = (place) => window.open(place)
  const notifications = createNotifications({
    Notification:
      process.platform === 'linux'
        ? linuxNotifications({ usual: Notification, connect: () => notificationServerOf(env), log })
        : Notification,
    clock,
    sessionOnScreen: () => window.sessionOnScreen(),
    isRinging: (alarm) => isRinging(picture(), alarm, clock.now()),
    open,
    act: createNoticeActions({ link, open, attempt: parts.attempt }),
    ...(process.platform === 'linux' ? { icon } : {}),
  })
  return { window, open, notifications }
}

type Menus = ReturnType<typeof showMenus>

/** The tray and the menu of the app, with what they change of the installation. */
function showMenus(parts: Parts, open: Opener) {
  const { options, link, picture, words, dialogs, attempt } = parts
  const { home, clock, log, env } = options.host
  let commandInstalled: boolean | null = null
  const trayShown = async () =>
    tray !== null && isTrayShown({ platform: process.platform, env, uid: process.getuid?.() ?? 0, log })
  const installed = createInstalledApp({
    home,
    install: options.install,
    env,
    clock,
    log,
    language: () => picture().language,
    tray: async () => trayState(await trayShown(), env),
    onLogin: ({ kind }) => tray?.showAtLogin(kind === 'impossible' ? null : kind === 'on'),
    onCommand(on) {
      if (on === commandInstalled) return
      commandInstalled = on
      drawApp()
    },
    quit: parts.quit,
  })
  const act = (action: TrayAction) => {
    const { tray: labels } = sentencesOf(picture().language)
    switch (action.kind) {
      case 'open':
        return open(action.place)
      case 'pause-all':
        return attempt(labels.pauseAll, link().pause(null))
      case 'resume-all':
        return attempt(labels.resumeAll, link().resume(null))
      case 'copy-base-url':
        return clipboard.writeText(link().origin)
      case 'start-at-login':
        return attempt(
          labels.startAtLogin,
          installed.seat.setLogin(action.on).then(({ trouble }) => {
            if (trouble !== null) dialogs.trouble(words().notDone(labels.startAtLogin), trouble)
          }),
        )
      case 'update':
        // The window shows what comes of it.
        if (action.request === 'check') open({ kind: 'settings' })
        return void parts.updates().request(action.request)
      case 'take-over':
        return void parts.takeOver()
      case 'quit':
        return parts.quit()
    }
  }
  const tray = createTray({
    iconFolder: options.iconFolder,
    act,
    onMissing: (error) => log.warn({ error: messageOf(error) }, 'no tray on this desktop'),
    onOpen: () => installed.check(),
  })
  const setCommand = (on: boolean) =>
    attempt(
      on ? words().installCommand : words().removeCommand,
      installed.seat.setCommand(on).then((change) => dialogs.say(commandSaid(change, picture().language))),
    )
  const drawApp = () =>
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        appMenu({
          platform: process.platform,
          language: picture().language,
          settings: () => open({ kind: 'settings' }),
          command: commandInstalled === null ? null : { installed: commandInstalled, set: setCommand },
          uninstall: () => attempt(words().uninstall.title, installed.uninstall()),
        }),
      ),
    )
  return {
    tray,
    trayDrawing: spaced(clock, trayDrawnEachMs, () => tray?.show(trayView(picture(), clock.now(), parts.state()))),
    drawApp,
    installed,
    trayShown,
  }
}

const takeOver = ({ options, link, picture, words, dialogs }: Parts): Promise<boolean> =>
  takeOverOlder({
    clock: options.host.clock,
    link,
    confirm: (older) => dialogs.mayTakeOver(older, options.version),
    stays: () => words().stays,
    endsBy: () => picture().status?.finishing?.until ?? null,
  }).catch((error: unknown) => {
    dialogs.trouble(words().notTakenOver, error)
    return false
  })

function listenToSystem({ link }: Parts, quitting: Quitting): void {
  app.on('before-quit', (event) => quitting.beforeQuit(event))
  // The window hides instead of closing; without this listener the last close would end the app.
  app.on('window-all-closed', () => undefined)
  // Timers stand still while the computer sleeps (node#20661). Electron does not always say that it woke up
  // (electron#42050): a person who unlocks the screen is there to be notified, else the engine's own tick notices it.
  powerMonitor.on('resume', () => link().wokeUp())
  powerMonitor.on('unlock-screen', () => link().wokeUp())
  // On macOS this comes before a Quit from the dock, too, and the two can't be distinguished (electron#15022).
  powerMonitor.on('shutdown', () => quitting.systemEnds())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => quitting.signalled())
}

/**
 * Clears data that a page can leave for the next one at its address. A program that listened there while no engine did
 * may have left a service worker or a cached file that would get the next link; the window's theme and the like stay.
 */
async function forgetPage(): Promise<void> {
  const { defaultSession } = session
  await Promise.all([
    defaultSession.clearStorageData({ storages: ['serviceworkers', 'cachestorage'] }),
    defaultSession.clearCache(),
  ])
}
