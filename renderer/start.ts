/** The page's composition root: makes the stores, opens the connection, hands both to the components. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { canProve, pageCredential, type Credential } from '../shared/control/proof.ts'
import type { EngineUpdate } from '../shared/state.ts'
import { languageOf, type App } from './app-context.ts'
import { noticeToasts } from './alarms/notice-toasts.ts'
import { placeOfSession } from './notices/leads-to.ts'
import { browserNotices } from './notices/browser-notices.ts'
import { createActions } from './control/actions.ts'
import { batch } from './control/batch.ts'
import { connect, type Connection } from './control/connect.ts'
import { inWords, problemOf } from './control/problem.ts'
import { credentialOf, forgetToken, keepToken, takeToken } from './control/token.ts'
import { keepFirstRun } from './first-run/keep-first-run.ts'
import { browserLanguage, wordsFrom, type Words } from './i18n/index.ts'
import { createSpeech, loadSpoken } from './i18n/speech.ts'
import { createToasts, type ShowToast } from './parts/toasts.ts'
import { emptyEngine, reduceEngine, type EngineAction, type EngineState } from './state/engine.ts'
import { loadAlarms, loadProviders, loadShown } from './state/load-shown.ts'
import { loadOpenedTimelines, loadTimeline } from './state/load-timelines.ts'
import { withMachines } from './machines/far-apps.ts'
import { createNavigation } from './state/navigation.ts'
import { readFragment } from './state/place.ts'
import { createSettingsStore } from './state/settings.ts'
import { createUiStore } from './state/ui.ts'
import type { ShellDeps } from './phone/shell.ts'
import { pageClock } from './time/page-clock.ts'

export async function start(win: Window & typeof globalThis): Promise<App> {
  // Read before anything is waited for: a person who goes on to another place meanwhile does not lose the link's key.
  const fragment = readFragment(win.location.hash)
  const session = storageOf(() => win.sessionStorage)
  const local = storageOf(() => win.localStorage)
  const clock = pageClock(() => Date.now(), win.document)
  const connecting = createConnecting(win, clock, session, {
    onUpdate(update) {
      push(update)
      if (update.type === 'notice') {
        alarmToasts.tell(update.notice)
        shownByBrowser(update.notice)
      }
    },
    onLink: (link) => dispatch({ type: 'link', link }),
  })
  const engine = createStore<EngineState>(() => emptyEngine)
  const dispatch = (action: EngineAction) => engine.setState((state) => reduceEngine(state, action))
  const ui = createUiStore()
  const settings = createSettingsStore(local)
  const lastCommand = keepCommand(engine, local)
  keepFirstRun(ui, engine, local)
  const push = batch<EngineUpdate>((updates) => dispatch({ type: 'updates', updates }))
  const wanted = browserLanguage(win.navigator.languages)
  const speech = createSpeech(await loadSpoken(languageOf(wanted, settings.getState().language)), loadSpoken)
  const words = () => wordsFrom(speech.spoken.getState(), engine.getState().status?.zone)
  const forShell = () => ({ engine, actions, go: navigation.go })
  const asDevice = deviceAccess(win, connecting, dispatch, words, local, forShell)
  const code = credentialOf(fragment.pair)
  const credential = takeToken(fragment, session)
  if (!canProve()) dispatch({ type: 'link', link: { kind: 'refused', token: 'insecure', at: null } })
  else if (fragment.pair !== null) dispatch({ type: 'link', link: { kind: 'refused', token: 'pair', at: null } })
  else if (credential === null) void asDevice.open()
  else void connecting.open(credential, fragment.token === null ? 'page' : 'link')
  let used = fragment.token
  const navigation = createNavigation(win, ui, (next) => {
    const link = credentialOf(next)
    if (next === used || link === null || !canProve()) return
    used = next
    void connecting.open(link, 'link')
  })
  const toasts = createToasts(toastsOnDemand(async () => (await import('./parts/toast-view.tsx')).showToast))
  const now = () => clock.now() + (engine.getState().status?.timeSync?.offsetMs ?? 0)
  const client = () => connecting.now()?.client() ?? null
  const shared = { client, toasts, words, clipboard: win.navigator.clipboard ?? null }
  const actions = createActions({
    ...shared,
    now,
    onRouting: (routing) => dispatch({ type: 'routing', routing }),
    onServertools: (servertools) => dispatch({ type: 'servertools', servertools }),
    onChecks: (session, checks) => dispatch({ type: 'checks', session, checks }),
  })
  const alarmToasts = noticeToasts({
    toasts,
    actions,
    words,
    engine: engine.getState,
    place: () => ui.getState().place,
    focused: () => win.document.hasFocus(),
    now,
    inShell: 'onwardShell' in win,
    openSession: (id, machine) => navigation.go(placeOfSession(id, engine.getState(), machine)),
    openMissed() {
      navigation.go({ view: 'alarms' })
      ui.setState({ missedOpen: true })
    },
  })
  engine.subscribe(({ alarms }, before) => {
    if (alarms !== before.alarms) alarmToasts.look()
  })
  ui.subscribe(({ place }, before) => {
    if (place !== before.place) alarmToasts.look()
  })
  win.addEventListener('focus', alarmToasts.look)
  const shownByBrowser = browserNotices({
    notification: () => ('Notification' in win && win.isSecureContext ? win.Notification : null),
    engine: engine.getState,
    place: () => ui.getState().place,
    focused: () => win.document.hasFocus(),
    inShell: 'onwardShell' in win,
    storage: local,
    toasts,
    words,
    open(place) {
      win.focus()
      navigation.go(place)
      if (place.view === 'alarms') ui.setState({ missedOpen: true })
    },
  })
  loadOpenedTimelines(engine, ui, dispatch, actions.ask)
  const providers = () => loadProviders(dispatch, actions.ask)
  const alarms = () => loadAlarms(dispatch, actions.ask)
  loadShown(engine, ui, 'providers', (state) => state.providers === null || state.routing === null, providers)
  loadShown(engine, ui, 'alarms', (state) => state.alarms === null, alarms)
  const page: Omit<App, 'machine' | 'here' | 'there'> = {
    engine,
    ui,
    settings,
    clock,
    speech,
    actions,
    navigation,
    browserLanguage: wanted,
    mac: /mac/i.test(win.navigator.platform),
    lastCommand,
    retryNow() {
      const connection = connecting.now()
      if (connection === null) win.location.reload()
      else connection.retryNow()
    },
    loadProviders: providers,
    loadAlarms: alarms,
    loadTimeline: (id, beforeSeq) => loadTimeline(id, dispatch, actions.ask, beforeSeq),
    isDevice: asDevice.is,
    pairing: code && { pair: (name) => asDevice.pair(code, name) },
    origin: win.location.origin,
  }
  const app = withMachines(page, shared)
  return app
}

/** `link`: good once; `page`, `tab`: what one was traded for; `device`: a paired browser's own key */
type Access = 'link' | 'page' | 'tab' | 'device'
type SocketOf = typeof import('./control/socket.ts').openSocket

/** The page's one connection, which begins anew with a new link. */
function createConnecting(
  win: Window,
  clock: App['clock'],
  session: Storage | null,
  { onUpdate, onLink }: Pick<Parameters<typeof connect>[0], 'onUpdate' | 'onLink'>,
) {
  // Modules that call the engine are fetched beside the words, and are not waited for: the first paint needs none of
  // them.
  const socket = import('./control/socket.ts')
  let connection: Connection | null = null
  let isBegun = false
  const connectWith = (openSocket: SocketOf, first: Credential, kind: Access) => {
    connection?.dispose()
    let current = first
    let from = kind
    connection = connect({
      open: openSocket(win.location.origin, {
        credential: () => current,
        async onAdmitted(exchange) {
          // its key is its own: nothing is traded for it
          if (from === 'device') return
          const { key } = current
          if (from !== 'page') keepToken(await pageCredential(key, exchange), session)
          if (from !== 'tab') current = await pageCredential(key, exchange, 'tab')
          from = 'tab'
        },
      }),
      // Any server may answer: only the socket proves who it is. Nothing is sent to it before.
      answers: () =>
        fetch('/health', { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(5_000) }).then(
          () => true,
          () => false,
        ),
      now: clock.now,
      after(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      onUpdate,
      onLink(link) {
        if (link.kind === 'refused') forgetToken(session)
        const revoked = kind === 'device' && link.kind === 'refused' && link.token === 'wrong'
        onLink(revoked ? { ...link, token: 'revoked' } : link)
      },
    })
  }
  return {
    now: () => connection,
    /** something to connect with was found, whatever came of it */
    begun: () => isBegun,
    /** @param first a link's, traded at the first connection, or what one was traded for before */
    open(first: Credential, kind: Access) {
      isBegun = true
      return socket.then(
        ({ openSocket }) => connectWith(openSocket, first, kind),
        // The engine went away while the page came from it.
        () => onLink({ kind: 'stopped', at: clock.now(), retryAt: clock.now() }),
      )
    },
  }
}

/** Kept where this browser is paired: first.js draws the frame by it, before the key itself can be looked up. */
const deviceMark = 'onward-device'

/** The way of a paired browser: by the key that it keeps, or by a code for which it gets one. */
function deviceAccess(
  win: Window & typeof globalThis,
  { open: connect, begun }: Pick<ReturnType<typeof createConnecting>, 'open' | 'begun'>,
  dispatch: (action: EngineAction) => void,
  words: () => Words,
  local: Storage | null,
  forShell: () => ShellDeps,
) {
  const { indexedDB, location } = win
  let is = false
  const enter = (device: Credential) => {
    is = true
    local?.setItem(deviceMark, 'yes')
    // until the engine says which it has
    dispatch({ type: 'updates', updates: [{ type: 'rights', rights: ['look'] }] })
    // Without it the page works all the same.
    void import('./phone/shell.ts').then(({ beShell }) => beShell(win, forShell())).catch(() => undefined)
    return connect(device, 'device')
  }
  const own = () => import('./phone/own-device.ts')
  return {
    is: () => is,
    async open() {
      const device = await (await own()).ownDevice(indexedDB)
      // A link came while the browser looked.
      if (begun()) return
      if (device) return enter(device)
      local?.removeItem(deviceMark)
      dispatch({ type: 'link', link: { kind: 'refused', token: 'none', at: null } })
    },
    /** @returns why it did not work */
    async pair(code: Credential, name: string): Promise<string | null> {
      try {
        const device = await (await own()).pairThis(location.origin, code, name, indexedDB)
        dispatch({ type: 'link', link: { kind: 'connecting' } })
        await enter(device)
        return null
      } catch (error) {
        const problem = inWords(problemOf(error), words())
        return problem.message === 'refused' ? words().w.phone.codeOver : problem.message
      }
    },
  }
}

/** Storage can be forbidden; asking for it then throws. */
function storageOf(get: () => Storage): Storage | null {
  try {
    return get()
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

/** A toast is put on the screen when what draws toasts is there; one that was taken away before never is. */
const toastsOnDemand =
  (load: () => Promise<ShowToast>): ShowToast =>
  (toast, onGone) => {
    let taken = false
    let close: (() => void) | null = null
    load().then((show) => {
      if (!taken) close = show(toast, onGone)
    }, onGone)
    return () => {
      if (taken) return
      taken = true
      if (close) close()
      else onGone()
    }
  }

/** How the command line is called, kept for when no engine is there to say so, and a line says how to start one. */
const key = 'onward-command'

/** @returns the command that was kept before */
function keepCommand(
  engine: StoreApi<EngineState>,
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
): string | null {
  const before = storage?.getItem(key) ?? null
  let kept = before
  engine.subscribe(({ status }) => {
    if (!status?.command || status.command === kept) return
    kept = status.command
    storage?.setItem(key, kept)
  })
  return before
}
