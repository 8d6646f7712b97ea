import { insertCompletionText, type Completion as Offered, type CompletionSource } from '@codemirror/autocomplete'
import { completionsAt, type Completion } from './complete.ts'
import type { Schema } from './schema-at.ts'

/** The letters at which the list opens by itself. */
const opens = /[\w"$.-]/

/** The completions at the caret, as CodeMirror takes them. @param about the text beside the chosen one */
export const completionSource =
  (schema: () => Schema | null, about: (item: Completion) => HTMLElement): CompletionSource =>
  ({ state, pos, explicit }) => {
    const known = schema()
    if (known === null || state.readOnly) return null
    if (!explicit && !opens.test(state.sliceDoc(pos - 1, pos))) return null
    const found = completionsAt(state.doc.toString(), pos, known)
    return (
      found && { from: found.from, to: found.to, filter: false, options: found.items.map((one) => offered(one, about)) }
    )
  }

const offered = (item: Completion, about: (item: Completion) => HTMLElement): Offered => ({
  label: item.label,
  info: () => about(item),
  apply(view, _, from, to) {
    const change = insertCompletionText(view.state, item.insert, from, to)
    view.dispatch({ ...change, selection: { anchor: from + item.insert.length + item.caret } })
  },
})
