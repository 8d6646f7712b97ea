import type { App } from 'electron'
import { decoded, type Place } from './place.ts'

/** null: bring the window to the front as it is */
export type Opener = (place: Place | null) => void

export interface Opens {
  /** @param hidden true: the window that a start opens by itself was not asked for */
  deliverTo(open: Opener, hidden?: boolean): void
}

/** Started at login: only the tray shows. */
export const startsHidden = (argv: readonly string[]): boolean => argv.includes('--hidden')

/**
 * Every way a person asks for the window: the first start, a second one, a deep link, the dock. Listens from the first
 * moment; requests before the engine is ready are kept, the last of them counts.
 */
export function listenForOpens(app: Pick<App, 'on'>, argv: readonly string[]): Opens {
  let opener: Opener | null = null
  let kept: { place: Place | null; byStart?: true } | null = startsHidden(argv)
    ? null
    : { place: placeOfDeepLink(argv), byStart: true }
  const ask = (place: Place | null) => {
    if (opener) opener(place)
    else kept = { place: place ?? kept?.place ?? null }
  }
  app.on('second-instance', (_event, argvOfSecond) => {
    if (!startsHidden(argvOfSecond)) ask(placeOfDeepLink(argvOfSecond))
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const place = placeOfDeepLink([url])
    if (place) ask(place)
  })
  app.on('activate', () => ask(null))
  return {
    deliverTo(open, hidden = false) {
      opener = open
      if (kept && !(hidden && kept.byStart && kept.place === null)) open(kept.place)
      kept = null
    },
  }
}

/**
 * Deep links only navigate: `onward://session/<id>`, `onward://sessions`, `onward://alarms`, `onward://settings`.
 * Anything else is ignored, as is a link among arguments that are something else.
 */
export function placeOfDeepLink(argv: readonly string[]): Place | null {
  const link = argv.find((argument) => /^onward:\/\//i.test(argument))
  const [, kind, id] = /^onward:\/\/([a-z]+)(?:\/([^/?#]{1,1024}))?\/?$/i.exec(link ?? '') ?? []
  if (kind === 'session' && id !== undefined) return { kind, id: decoded(id) }
  return (kind === 'sessions' || kind === 'alarms' || kind === 'settings') && id === undefined ? { kind } : null
}
