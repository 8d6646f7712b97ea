import type { UnreadWhy } from '../../../../shared/alarms/alarms.ts'
import { isForeign } from './in-english.ts'

export interface NotUnderstood {
  /** in the words of the text */
  part: string
  why: UnreadWhy
}

const anyOf = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'u')

/** Repeated alarms, in both languages. */
export const repeats = anyOf(
  /\b(?:every|each)(?: other)?(?: (?:\d+ )?[a-z]+)?/u,
  /\b(?:daily|hourly|weekly|monthly|yearly|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/u,
  /每(?:隔)?(?:个?工作日|个?(?:周|星期|礼拜)[一二三四五六日天]?|天|日|早|晚|月|年|个?半?(?:小时|钟头))/u,
  /每(?:隔)?[\d零一二两三四五六七八九十半]+个?半?(?:秒钟?|分钟?|刻钟|小时|钟头|天|周|星期|月)/u,
  /工作日/u,
)
const twoReadings = anyOf(
  /\b(?:cst|ist|bst|ast|gst)\b/u,
  /(?<![\d/.-])(?!(\d{1,2})[/.-]\1\b)(?:0?[1-9]|1[0-2])[/.-](?:0?[1-9]|1[0-2])(?![\d:])/u,
  /\b\d{1,2}h\d{2}\b/u,
  /晚上[一二三四1-4]点/u,
)
const vague = anyOf(
  /\b(?:a )?few(?: [a-z]+)?/u,
  /\bseveral(?: [a-z]+)?/u,
  /\b(?:this |next )?weekend\b/u,
  /\bsoon\b/u,
  /\blater\b/u,
  /(?:这|下)?周末/u,
  /半天/u,
  /半个月/u,
  /几(?:分钟|个?小时|天)/u,
  /一会儿?/u,
  /稍后/u,
)

/** Words that some text of a time has. */
const english: ReadonlySet<string> = new Set(
  `in at on by for of the after from now ago hence and a an half quarter quarters past to couple right today
   tomorrow tonight yesterday day days next last this noon midnight midday morning afternoon evening night am pm
   o'clock oclock utc gmt s sec secs second seconds m min mins minute minutes h hr hrs hour hours d w wk wks week
   weeks month months t z st nd rd th mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday
   friday saturday sunday january jan february feb march mar april apr may jun june jul july august aug
   september sep sept october oct november nov december dec one two three four five six seven eight nine ten eleven
   twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy
   eighty ninety`.split(/\s+/),
)
const han: ReadonlySet<string> = new Set(
  '前昨今明后大天日早晚下这本个周星期礼拜一二三四五六七八九十零〇两年月号之以凌晨清上午正中傍间夜里半点时钟整刻分秒再过等小头的',
)

/** more pieces than a time has; searching among more takes long */
const mostPieces = 16

/**
 * Finds the part of a text that kept it from being read: a known form that is no time of one alarm, else words that
 * mean nothing here, else the smallest part without which it reads. `reads`: whether a text can be read.
 */
export function notUnderstood(text: string, reads: (text: string) => boolean): NotUnderstood {
  for (const [why, pattern] of [
    ['repeats', repeats],
    ['two-readings', twoReadings],
    ['vague', vague],
  ] as const) {
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) return { part: found, why }
  }
  const pieces = piecesOf(text)
  const first = pieces.findIndex((piece) => !isKnown(piece.text))
  if (first >= 0) {
    let end = first + 1
    while (pieces[end] && !isKnown(pieces[end]?.text ?? '')) end += 1
    const run = pieces.slice(first, end)
    // A place is among the words that only some texts have: “New York blorp”.
    return leastOf(text, run, reads) ?? { part: between(text, run[0], run.at(-1)), why: 'unknown' }
  }
  return leastOf(text, pieces, reads) ?? { part: text, why: 'unknown' }
}

/** The least of these pieces without which the text can be read: the later of two that contradict each other. */
function leastOf(text: string, pieces: readonly Piece[], reads: (text: string) => boolean): NotUnderstood | null {
  if (pieces.length > mostPieces) return null
  for (let length = 1; length <= pieces.length; length++) {
    for (let from = pieces.length - length; from >= 0; from--) {
      const [a, b] = [pieces[from], pieces[from + length - 1]]
      if (!a || !b) continue
      const rest = `${text.slice(0, a.from)} ${text.slice(b.to)}`.replace(/\s+/g, ' ').trim()
      if (rest !== '' && reads(rest)) return { part: between(text, a, b), why: 'unknown' }
    }
  }
  return null
}

interface Piece {
  text: string
  from: number
  to: number
}

const piecesOf = (text: string): readonly Piece[] =>
  [...text.matchAll(/\p{Script=Han}|[\d][\d:./+-]*|[^\s\d\p{Script=Han},，]+|[,，]/gu)].map((found) => ({
    text: found[0],
    from: found.index,
    to: found.index + found[0].length,
  }))

const isKnown = (piece: string): boolean =>
  /^[\d,，]/.test(piece) || (/^\p{Script=Han}/u.test(piece) ? han.has(piece) : english.has(piece)) || isForeign(piece)

const between = (text: string, a: Piece | undefined, b: Piece | undefined): string => text.slice(a?.from, b?.to)
