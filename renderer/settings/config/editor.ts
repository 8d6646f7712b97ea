/** The config's editor: CodeMirror, with the completion and the problems that Onward knows of. */
import { acceptCompletion, autocompletion, completionKeymap, type CompletionSource } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { jsonc } from '@shopify/lang-jsonc'
import type { ConfigProblem } from '../../../shared/config/config-text.ts'

/** The lines in which something is wrong, from 1. */
const setWrongLines = StateEffect.define<readonly number[]>()

const wrongLine = Decoration.line({ class: 'code-wrong' })
const wrongNumber = new (class extends GutterMarker {
  override elementClass = 'code-wrong-number'
})()

/** They are marked in the text and beside it; while one types, the marks move with their lines. */
const wrongLines = StateField.define<readonly number[]>({
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

export interface EditorParts {
  parent: HTMLElement
  /** for screen readers */
  label: string
  /** CodeMirror's own words in the person's language */
  phrases: Readonly<Record<string, string>>
  complete: CompletionSource
  onChange(text: string): void
  onSave(): void
}

export interface Editor {
  setText(text: string): void
  setProblems(problems: readonly ConfigProblem[]): void
  setReadOnly(readOnly: boolean): void
  /** the focus goes there, and the line is chosen */
  goTo(line: number): void
  dispose(): void
}

/** Marks a change from outside, which was not typed. */
const fromOutside = Annotation.define<boolean>()

export function openEditor({ parent, label, phrases, complete, onChange, onSave }: EditorParts): Editor {
  const readOnlyNow = new Compartment()
  const save = () => {
    onSave()
    return true
  }
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        foldGutter(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        wrongLines,
        history(),
        bracketMatching(),
        indentOnInput(),
        jsonc(),
        syntaxHighlighting(classHighlighter),
        search({ top: true }),
        // A click or key that was meant for the list never falls on the text: it may be taken at once.
        autocompletion({ override: [complete], icons: false, interactionDelay: 0 }),
        keymap.of([
          { key: 'Mod-s', run: save, preventDefault: true },
          { key: 'Tab', run: acceptCompletion },
          ...completionKeymap,
          ...searchKeymap,
          ...foldKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorState.phrases.of(phrases),
        readOnlyNow.of(EditorState.readOnly.of(false)),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': 'config-problems',
          'aria-keyshortcuts': 'Control+S Control+Space',
          autocapitalize: 'off',
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside)))
            onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    setText(text) {
      const { doc } = view.state
      if (doc.toString() === text) return
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, annotations: fromOutside.of(true) })
    },
    setProblems(problems) {
      const { doc } = view.state
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(doc, problems)), {
        effects: setWrongLines.of(problems.map(({ line }) => line)),
      })
      view.contentDOM.toggleAttribute('aria-invalid', problems.length > 0)
    },
    setReadOnly(readOnly) {
      view.dispatch({ effects: readOnlyNow.reconfigure(EditorState.readOnly.of(readOnly)) })
    },
    goTo(number) {
      const line = lineIn(view.state.doc, number)
      view.focus()
      view.dispatch({
        selection: { anchor: line.from, head: line.to },
        effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
      })
    },
    dispose: () => view.destroy(),
  }
}

/** The text may have become shorter since it was looked at. */
const lineIn = (doc: Text, number: number) => doc.line(Math.min(Math.max(number, 1), doc.lines))

/** A problem has a place: the rest of the word there, else of the line, is marked. */
function diagnosticsOf(doc: Text, problems: readonly ConfigProblem[]): Diagnostic[] {
  return problems.map(({ line, column, message }) => {
    const { from, to, text } = lineIn(doc, line)
    const at = Math.min(from + column - 1, to)
    const [word = ''] = /^"(?:[^"\\]|\\.)*"|^[\w.+-]+/.exec(text.slice(at - from)) ?? []
    return { from: at, to: word === '' ? to : at + word.length, severity: 'error', message }
  })
}
