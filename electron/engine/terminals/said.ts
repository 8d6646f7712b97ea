/**
 * A message of a conversation in a form that can be recognised on a screen: short hashes of a few letters each, no
 * words, because it is kept on the disk.
 */
export interface Said {
  /** how many letters and digits these stand for, of the end of the message */
  letters: number
  /** it is long enough to belong to one conversation only */
  telling: boolean
  /** 16 bits each, base64 */
  marks: string
  /** a person said it */
  asked?: boolean | undefined
}

export interface KnownConversation {
  sessionId: string
  /** oldest first */
  said: readonly Said[]
}

/** `unseen`: nothing on the screen shows which conversation it is, or two would look alike */
export type Recognised = 'shown' | 'other' | 'unseen'

/** so much of a message's end is compared: a few rows */
const END = 160
/** letters that one mark stands for */
const RUN = 6
/** A message that is as short as this is compared as a whole, with whole rows. */
const SHORT = 12
/** Less than this may be said in any conversation. A letter of Chinese or Japanese counts as two. */
const TELLING = 24
const wide = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/gu
/** messages of a conversation, and conversations of a terminal */
const MESSAGES = 6
const CONVERSATIONS = 12

/** Returns null if the text has nothing that could be compared. */
export function saidOf(text: string): Said | null {
  const folded = fold(withoutMarkup(text.slice(-25 * END))).slice(-END)
  if (folded === '') return null
  const marks: number[] = []
  if (folded.length <= SHORT) marks.push(hash(folded, 0, folded.length))
  else {
    const step = folded.length <= 2 * TELLING ? 1 : 2
    for (let at = folded.length - RUN; at >= 0; at -= step) marks.push(hash(folded, at, at + RUN))
  }
  const telling = folded.length + (folded.match(wide)?.length ?? 0) >= TELLING
  return { letters: folded.length, telling, marks: Buffer.from(Uint16Array.from(marks).buffer).toString('base64') }
}

/** With one more message, which is the newest of its conversation. */
export function heard(
  known: readonly KnownConversation[],
  sessionId: string,
  text: string,
  asked = false,
): readonly KnownConversation[] {
  const one = saidOf(text)
  const next = one && { ...one, ...(asked && { asked }) }
  const before = known.find((one) => one.sessionId === sessionId)?.said ?? []
  if (next === null || before.at(-1)?.marks === next.marks) return known
  const others = known.filter((one) => one.sessionId !== sessionId)
  return [...others, { sessionId, said: [...before, next].slice(-MESSAGES) }].slice(-CONVERSATIONS)
}

/** Removes markup that the agent draws: where links lead and how code is marked is not on the screen. */
const withoutMarkup = (text: string): string =>
  text
    .replace(/<\/?pasted_content[^>]*>/g, ' ')
    .replace(/\]\([^)\s]*\)/g, ']')
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')

/** Letters and digits alone: rows are wrapped anywhere, and signs are drawn or taken for markup. */
const fold = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]|[\u{10000}-\u{10ffff}]/gu, '')

/** FNV-1a, folded to 16 bits. */
function hash(text: string, from: number, to: number): number {
  let sum = 0x811c9dc5
  for (let at = from; at < to; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return (sum ^ (sum >>> 16)) & 0xffff
}

/** in a history that continues a conversation, so many messages may follow its last words */
const BEHIND = 3
/** so many letters in at least two messages: a beginning alone, or two words, prove nothing */
const ENOUGH = 16

/**
 * True if a history is that of the conversation: it has the last messages, a person's newest among them, and ends with
 * them. Answers may be missing, because the client asked for some beside the conversation.
 * @param messages the texts of each, oldest first
 */
export function continues({ said }: KnownConversation, messages: readonly (readonly string[])[]): boolean {
  const rows = messages.map((texts) => texts.flatMap((text) => withoutMarkup(text).split('\n')))
  const end = rows.slice(0, -BEHIND).flat().length
  const screen = readRows(rows.flat())
  const distinct = [...new Map(said.map((one) => [one.marks, one])).values()]
  const found = distinct.flatMap((one) => {
    const place = placeOf(one, screen)
    return place ? [{ one, row: place.row }] : []
  })
  const letters = found.reduce((sum, { one }) => sum + one.letters, 0)
  const newest = distinct.findLast(({ asked }) => asked) ?? distinct.at(-1)
  return (
    found.length >= Math.max(2, distinct.length / 2) &&
    letters >= ENOUGH &&
    found.some(({ one }) => one === newest) &&
    found.some(({ row }) => row >= end)
  )
}

interface Screen {
  /** the last row of each mark */
  runs: ReadonlyMap<number, number>
  wholes: ReadonlyMap<number, number>
  letters: number
}

/** A conversation as the screen shows it; null if it shows none of it. */
interface Match {
  /** its newest message is */
  newest: boolean
  row: number
  messages: number
  share: number
}

/**
 * Decides whether rows show the wanted conversation: its newest words are on them, and no other known one has its own
 * further down, or as many of its words in the same place.
 */
export function recogniseConversation(
  rows: readonly string[],
  wanted: KnownConversation,
  others: readonly KnownConversation[],
): Recognised {
  const screen = readRows(rows)
  const mine = matchOf(wanted, screen)
  const rivals = others.map((one) => matchOf(one, screen)).filter((sight) => sight !== null)
  if (mine === null) return rivals.length > 0 ? 'other' : 'unseen'
  const most = Math.min(1, ...rivals.map((rival) => compared(mine, rival)))
  return most > 0 ? 'shown' : most < 0 ? 'other' : 'unseen'
}

function compared(mine: Match, rival: Match): number {
  if (mine.newest !== rival.newest) return mine.newest ? 1 : -1
  if (Math.abs(mine.row - rival.row) > 1) return mine.row - rival.row
  if (mine.messages !== rival.messages) return mine.messages - rival.messages
  return Math.abs(mine.share - rival.share) < 0.02 ? 0 : mine.share - rival.share
}

function matchOf({ said }: KnownConversation, screen: Screen): Match | null {
  const distinct = [...new Map(said.toReversed().map((one) => [one.marks, one])).values()]
  const places = distinct.map((one) => placeOf(one, screen))
  const first = places.findIndex((place) => place !== null)
  const place = places[first]
  if (!place) return null
  const messages = places.filter((one) => one !== null).length
  const sure = distinct[first]?.telling || messages > 1 || distinct.length === 1
  return sure ? { newest: first === 0, messages, ...place } : null
}

function placeOf({ letters, marks }: Said, screen: Screen): { row: number; share: number } | null {
  const bytes = Buffer.from(marks, 'base64')
  if (letters <= SHORT) {
    const row = screen.wholes.get(bytes.readUInt16LE(0))
    return row === undefined ? null : { row, share: 1 }
  }
  const found: number[] = []
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const row = screen.runs.get(bytes.readUInt16LE(at))
    if (row !== undefined) found.push(row)
  }
  // A small screen can't show more of them than it has room for.
  const room = Math.min(letters, Math.max(TELLING, screen.letters)) / letters
  const share = Math.min(1, found.length / ((bytes.length / 2) * room))
  if (share < (letters <= 2 * TELLING ? 0.8 : 0.5)) return null
  const row = found.sort((a, b) => a - b)[Math.floor(found.length / 2)]
  return row === undefined ? null : { row, share }
}

function readRows(rows: readonly string[]): Screen {
  const runs = new Map<number, number>()
  const wholes = new Map<number, number>()
  // Beside the conversation there may be other columns, and a table has some of its own: both are looked for.
  const parted = rows.map((row) =>
    row
      .split(/\s{3,}|[│┃║▌▐█|]/u)
      .map(fold)
      .filter((part) => part !== ''),
  )
  const note = (text: string, row: number) => {
    if (text !== '' && text.length <= SHORT) wholes.set(hash(text, 0, text.length), row)
  }
  parted.forEach((parts, row) => {
    note(parts.join(''), row)
    for (const part of parts) note(part, row)
  })
  const join = (texts: readonly string[]): number => {
    const text = texts.join('')
    const rowAt = texts.flatMap((one, row) => Array.from({ length: one.length }, () => row))
    for (let at = 0; at + RUN <= text.length; at++) {
      const mark = hash(text, at, at + RUN)
      runs.set(mark, Math.max(runs.get(mark) ?? 0, rowAt[at + RUN - 1] ?? 0))
    }
    return text.length
  }
  const letters = join(parted.map((parts) => parts.join('')))
  if (parted.some((parts) => parts.length > 1)) join(parted.map(([first = '']) => first))
  return { runs, wholes, letters }
}
