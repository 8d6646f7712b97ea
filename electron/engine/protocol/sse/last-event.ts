import { parseObject } from '../values.ts'

/** Pushed behind a body that ended properly: its last event may lack the blank line. */
export const blankLine = Buffer.from('\n\n')

/** The event that such a body ends with may also be half of one: an answer that broke off. */
export const isWholeEvent = (data: Buffer): boolean =>
  parseObject(data) !== null || data.toString('latin1').trim() === '[DONE]'
