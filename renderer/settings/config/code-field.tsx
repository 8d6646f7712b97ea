import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ConfigProblem } from '../../../shared/config/config-text.ts'
import { useWords } from '../../app-context.ts'
import { type Completion, completionsAt } from './complete.ts'
import { openEditor, type Editor } from './editor.ts'
import type { Schema } from './schema-at.ts'
import { type CompletionSource, insertCompletionText, type Completion as Offered } from '@codemirror/autocomplete'

interface CodeFieldProps {
  text: string
  problems: readonly ConfigProblem[]
  schema: Schema | null
  /** from 1; another object goes there anew */
  goTo: { line: number } | null
  readOnly: boolean
  onChange(text: string): void
  onSave(): void
}

/** The editor in the page. It has its own state, which is made equal to what it is given. */
export function CodeField(props: CodeFieldProps) {
  const { text, problems, goTo, readOnly } = props
  const { w, s } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const t = w.config
  useLayoutEffect(() => {
    if (!box.current) return
    const opened = openEditor({
      parent: box.current,
      label: t.text,
      phrases: t.editor,
      complete: completionSource(
        () => latest.current.schema,
        (item) => about(item, t),
      ),
      onChange: (next) => latest.current.onChange(next),
      onSave: () => latest.current.onSave(),
    })
    editor.current = opened
    return () => opened.dispose()
  }, [t])
  useLayoutEffect(() => editor.current?.setText(text), [text, t])
  useEffect(
    () => editor.current?.setProblems(problems.map((problem) => ({ ...problem, message: s.configProblem(problem) }))),
    [problems, s, t],
  )
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly, t])
  useEffect(() => {
    if (goTo) editor.current?.goTo(goTo.line)
  }, [goTo])
  return <div className="code mono" ref={box} />
}

interface AboutWords {
  fallback(value: string): string
  completionHint: string
}

/** The description of a setting, beside the list. CodeMirror takes an element, not one of React's. */
function about(item: Completion, t: AboutWords): HTMLElement {
  const box = document.createElement('div')
  box.className = 'code-about meta'
  const add = (name: 'b' | 'span', text: string | null, className: string) => {
    if (text === null || text === '') return
    const part = document.createElement(name)
    part.className = className
    part.textContent = text
    box.append(part)
  }
  add('b', item.type, 'mono')
  add('span', item.about, '')
  add('span', item.fallback === null ? null : t.fallback(item.fallback), '')
  add('span', t.completionHint, 't3')
  return box
}

/** The letters at which the list opens by itself. */
const opens = /[\w"$.-]/

/** The completions at the caret, as CodeMirror takes them. @param about the text beside the chosen one */
const completionSource =
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
