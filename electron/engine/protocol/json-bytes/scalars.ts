import { badJson } from './errors.ts'

const literals = ['true', 'false', 'null'] as const

/**
 * Returns the offset after the number or literal that begins at `start`.
 * @throws OnwardError `bad-json`
 */
export function scalarEnd(body: Buffer, start: number): number {
  const c = body[start]
  if (c === 0x2d || isDigit(c)) return numberEnd(body, start)
  for (const word of literals) {
    if (c === word.charCodeAt(0) && body.toString('latin1', start, start + word.length) === word)
      return start + word.length
  }
  throw badJson(c === undefined ? 'it ends where a value should stand' : 'no value', start)
}

function numberEnd(body: Buffer, start: number): number {
  let i = body[start] === 0x2d ? start + 1 : start
  if (body[i] === 0x30) i++
  else i = digitsEnd(body, i, start)
  if (body[i] === 0x2e) i = digitsEnd(body, i + 1, start)
  if (body[i] === 0x65 || body[i] === 0x45) {
    const sign = body[i + 1]
    i = digitsEnd(body, sign === 0x2b || sign === 0x2d ? i + 2 : i + 1, start)
  }
  return i
}

function digitsEnd(body: Buffer, from: number, start: number): number {
  let i = from
  while (isDigit(body[i])) i++
  if (i === from) throw badJson('a bad number', start)
  return i
}

const isDigit = (c: number | undefined): boolean => c !== undefined && c >= 0x30 && c <= 0x39
