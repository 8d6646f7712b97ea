import { cities } from './cities.ts'

/** A text without the place in it, and that place's zone; null: the text names none. */
export interface ZoneSaid {
  rest: string
  /** IANA name */
  zone: string
}

/** “fri 5pm New York”, “9:00 in Tokyo”, “tokyo time 9:00”, “9:00 (Europe/Berlin)”, “纽约时间周五下午5点”. Of a cleaned text. */
export const zoneSaid = (text: string): ZoneSaid | null => chinese(text) ?? behind(text) ?? before(text)

let hanNames: RegExp | undefined
function chinese(text: string): ZoneSaid | null {
  if (!/\p{Script=Han}/u.test(text)) return null
  hanNames ??= new RegExp(
    `[ ,(]*(${[...cities().keys()]
      .filter((name) => /^\p{Script=Han}+$/u.test(name))
      .toSorted((a, b) => b.length - a.length)
      .join('|')})(?:当地)?(?:时间)?[ ,)]*的?`,
    'u',
  )
  const found = hanNames.exec(text)
  const zone = cities().get(found?.[1] ?? '')
  if (!found || zone === undefined) return null
  return { rest: (text.slice(0, found.index) + text.slice(found.index + found[0].length)).trim(), zone }
}

/** The longest name wins: “new york” is no “york”. */
function behind(text: string): ZoneSaid | null {
  const words = text.split(' ')
  for (let from = 1; from < words.length; from++) {
    const zone = zoneOf(words.slice(from).join(' '))
    if (zone !== null) return { rest: words.slice(0, from).join(' ').replace(/,$/, ''), zone }
  }
  return null
}

function before(text: string): ZoneSaid | null {
  const words = text.split(' ')
  for (let to = words.length - 1; to > 0; to--) {
    const zone = zoneOf(words.slice(0, to).join(' '))
    if (zone !== null) return { rest: words.slice(to).join(' '), zone }
  }
  return null
}

function zoneOf(said: string): string | null {
  const name = said
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^in /, '')
    .replace(/ (?:local )?time,?$/, '')
    .replace(/,$/, '')
  return cities().get(name) ?? null
}
