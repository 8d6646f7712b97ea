import { decode } from '../../json-bytes/index.ts'
import type { RequestLens } from '../../types.ts'
import { asObject } from '../../values.ts'
import { camelled } from '../convert/members.ts'
import { either, listed } from '../request-lens.ts'
import { placeOf } from '../request-place.ts'

/** Returns the kinds of tools that Google runs itself: `googleSearch`, `codeExecution`, … */
export function nativeTools(lens: RequestLens): string[] {
  const { body } = lens
  return listed(body, placeOf(lens, 'tools')).flatMap((at) => {
    // An entry that only has functions is long and need not be decoded.
    const functions = either(body, at, 'functionDeclarations', 'function_declarations')
    const outside = functions
      ? Buffer.concat([
          body.subarray(at.start, functions.start),
          Buffer.from('null'),
          body.subarray(functions.end, at.end),
        ])
      : body.subarray(at.start, at.end)
    const tool = camelled(asObject(decode(outside, { start: 0, end: outside.length })) ?? {})
    return Object.keys(tool).filter((name) => name !== 'functionDeclarations' && tool[name] !== null)
  })
}
