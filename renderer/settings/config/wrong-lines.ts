import { RangeSet, StateEffect, StateField, type EditorState } from '@codemirror/state'
import { Decoration, EditorView, GutterMarker, gutterLineClass } from '@codemirror/view'

/** The lines in which something is wrong, from 1. */
export const setWrongLines = StateEffect.define<readonly number[]>()

const wrongLine = Decoration.line({ class: 'code-wrong' })
const wrongNumber = new (class extends GutterMarker {
  override elementClass = 'code-wrong-number'
})()

/** They are marked in the text and beside it; while one types, the marks move with their lines. */
export const wrongLines = StateField.define<readonly number[]>({
  create: () => [],
  update(starts, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setWrongLines))
    if (set) return startsOf(transaction.state, set.value)
    return transaction.docChanged ? starts.map((start) => transaction.changes.mapPos(start)) : starts
  },
  provide: (field) => [
    EditorView.decorations.from(field, (starts) => Decoration.set(starts.map((start) => wrongLine.range(start)))),
    gutterLineClass.from(field, (starts) => RangeSet.of(starts.map((start) => wrongNumber.range(start)))),
  ],
})

/** Where these lines begin, each once, from above. */
function startsOf({ doc }: EditorState, lines: readonly number[]): number[] {
  const within = lines.filter((line) => line >= 1 && line <= doc.lines)
  return [...new Set(within)].toSorted((a, b) => a - b).map((line) => doc.line(line).from)
}
