import type { ClientKind } from '../../../../shared/words.ts'
import { backgroundTraces } from '../activity.ts'
import { drivesOf, type DriveSign } from './profiles.ts'

/**
 * Returns whether a drive, or work in the background, may begin in these bytes of a conversation, so that `drivenBy`
 * and `backgroundOf` have to read them. A few native searches instead of reading all; `true` only means that it has to
 * be read.
 */
export function mayShowDrive(client: ClientKind, json: Buffer): boolean {
  const traces = tracesOf(client)
  return traces.size > 0 && ([...traces].some((trace) => has(json, trace)) || escapesPlain(json))
}

/** Searches from the first rare sign on, and only then from the start: Node is twenty times as fast at the former. */
const has = (json: Buffer, trace: string): boolean =>
  json.includes(trace.slice(Math.max(0, trace.search(/[A-Z_]/)))) && json.includes(trace)

/**
 * The traces of each sign that switches a drive on, or shows work in the background. The other signs change nothing
 * unless one of these comes before them.
 */
function tracesOf(client: ClientKind): ReadonlySet<string> {
  const { signs, jobs } = drivesOf(client)
  return new Set([
    ...signs.filter(({ says }) => says === 'on').flatMap(tracesOfSign),
    ...(jobs === null ? [] : [nameToken(jobs.create)]),
    ...backgroundTraces(client),
  ])
}

const tracesOfSign = ({ when }: DriveSign): readonly string[] =>
  'text' in when ? [plainPiece(when.text)] : when.tools.map(nameToken)

/** A tool's name as it stands at a call. Clients list the names of tools in texts, too, where quotes are escaped. */
const nameToken = (name: string): string => `"${name}"`

/** The longest piece that every JSON writer leaves as it is; some escape `<` and `/`. */
const plainPiece = (text: string): string =>
  text.split(/[^A-Za-z0-9 _:.,#-]+/).reduce((a, b) => (b.length > a.length ? b : a))

const escapeStart = '\\u00'
const backslash = 0x5c

/** True if a character that a trace may have is written as an escape: a search for its bytes proves nothing then. */
function escapesPlain(json: Buffer): boolean {
  for (let at = json.indexOf(escapeStart); at >= 0; at = json.indexOf(escapeStart, at + 4)) {
    const high = json[at + 4] ?? 0
    // Colours of terminals come by the thousand: `\u001b`.
    if (high < 0x32 || high > 0x37) continue
    if (!/[A-Za-z0-9 _:.,#-]/.test(String.fromCharCode(Number.parseInt(json.toString('latin1', at + 4, at + 6), 16))))
      continue
    let before = at
    while (before > 0 && json[before - 1] === backslash) before--
    if ((at - before) % 2 === 0) return true
  }
  return false
}
