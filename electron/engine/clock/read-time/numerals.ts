const english = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const tens: Readonly<Record<string, number>> = { fifteen: 15, twenty: 20, thirty: 30, forty: 40, 'forty-five': 45, fifty: 50, sixty: 60, ninety: 90 }
const article: Readonly<Record<string, number>> = { a: 1, an: 1 }

/** “an”, “two”, “forty-five” as a number; null: none */
export function englishNumber(word: string): number | null {
  const at = english.indexOf(word)
  return at >= 0 ? at : tens[word] ?? article[word] ?? null
}

const chinese = '零一二三四五六七八九'
const digitOf = (sign: string): number => (sign === '两' ? 2 : sign === '〇' ? 0 : chinese.indexOf(sign))

/** what can stand for a number below a hundred, for regular expressions */
export const chineseNumber = String.raw`(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十]{1,3})`

/** “20”, “二十三”, “两”; NaN: no number */
export function numberOf(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  const [, high = '', ten, low = ''] = /^([一二两三四五六七八九]?)(十?)[零〇]?([一二两三四五六七八九]?)$/.exec(text) ?? []
  if (ten === '十') return (high === '' ? 1 : digitOf(high)) * 10 + (low === '' ? 0 : digitOf(low))
  return text.length === 1 ? digitOf(text) : /^[零〇].$/.test(text) ? digitOf(low) : NaN
}
