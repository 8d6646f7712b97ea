import { isArray, type Edit, type Span } from '../../json-bytes/index.ts'
import { either } from '../request-lens.ts'
import { partsIn } from './contents.ts'

export interface BesideResults {
  /** a content of their own, right behind the answer */
  item: string | null
  edits: Edit[]
}

/** In front of the client's own results in the content behind the answer: Google wants those of all its calls there. */
export function besideResults(body: Buffer, next: Span | null, results: readonly string[]): BesideResults {
  if (results.length === 0) return { item: null, edits: [] }
  const theirs =
    next && partsIn(body, next).find(({ value }) => 'functionResponse' in value || 'function_response' in value)
  if (!next || !theirs) return { item: `{"role":"user","parts":[${results.join(',')}]}`, edits: [] }
  const list = either(body, next, 'parts')
  if (list && !isArray(body, list))
    return {
      item: null,
      edits: [{ ...list, replacement: `[${results.join(',')},${body.toString('utf8', list.start, list.end)}]` }],
    }
  const { start } = theirs.at
  return { item: null, edits: [{ start, end: start, replacement: `${results.join(',')},` }] }
}
