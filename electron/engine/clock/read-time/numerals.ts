const ones = (
  'zero one two three four five six seven eight nine ten eleven twelve ' +
  'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
).split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** “an”, “two”, “forty-five” as a number; null: none */
export function englishNumber(word: string): number | null {
  if (word === 'a' || word === 'an') return 1
  const [high = '', low] = word.split('-')
  const ten = (tens.indexOf(high) + 2) * 10
  if (low !== undefined)
    return ten >= 20 && ones.indexOf(low) > 0 && ones.indexOf(low) < 10 ? ten + ones.indexOf(low) : null
  return ones.includes(word) ? ones.indexOf(word) : ten >= 20 ? ten : null
}

const chinese = '零一二三四五六七八九'
const digitOf = (sign: string): number => (sign === '两' ? 2 : sign === '〇' ? 0 : chinese.indexOf(sign))

/** what can stand for a number below a hundred, for regular expressions */
export const chineseNumber = /(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十]{1,3})/.source

/** “20”, “二十三”, “两”; NaN: no number */
export function numberOf(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  const [, high = '', ten, low = ''] =
    /^([一二两三四五六七八九]?)(十?)[零〇]?([一二两三四五六七八九]?)$/.exec(text) ?? []
  if (ten === '十') return (high === '' ? 1 : digitOf(high)) * 10 + (low === '' ? 0 : digitOf(low))
  return text.length === 1 ? digitOf(text) : /^[零〇].$/.test(text) ? digitOf(low) : NaN
}
