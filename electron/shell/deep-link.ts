import { decoded, type Place } from './place.ts'

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
