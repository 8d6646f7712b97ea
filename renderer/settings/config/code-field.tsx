import { memo, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { ConfigProblem } from '../../../shared/config-text.ts'
import { useWords } from '../../app-context.ts'
import { completionsAt, type Completion, type Completions } from './complete.ts'
import { CompletionList } from './completion-list.tsx'
import { coloured, type Piece } from './highlight.ts'
import type { Schema } from './schema-at.ts'

/** as the style sheet draws it */
const LINE = 20

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

/**
 * A text area with what an editor has: line numbers, colours, marked lines, completion. The letters that are seen are
 * drawn behind it; typing, undo and the screen reader have the text area itself.
 */
export function CodeField({ text, problems, schema, goTo, readOnly, onChange, onSave }: CodeFieldProps) {
  const { w } = useWords()
  const area = useRef<HTMLTextAreaElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState(0)
  const [offered, setOffered] = useState<(Completions & { chosen: number }) | null>(null)
  const lines = useMemo(() => coloured(text), [text])
  const wrong = useMemo(() => new Set(problems.map(({ line }) => line)), [problems])
  const here = lineOf(text, caret)
  const t = w.config

  useLayoutEffect(() => {
    const field = area.current
    if (!goTo || !field) return
    const start = startOf(field.value, goTo.line)
    field.focus({ preventScroll: true })
    field.setSelectionRange(start, endOf(field.value, start))
    setCaret(start)
    const view = scroller.current
    if (view) view.scrollTop = Math.max(0, goTo.line * LINE - view.clientHeight / 3)
  }, [goTo])

  const offer = (value: string, at: number) => {
    const found = schema && !readOnly ? completionsAt(value, at, schema) : null
    setOffered(found && { ...found, chosen: 0 })
  }
  const take = (item: Completion) => {
    const field = area.current
    if (!field || !offered) return
    field.focus()
    field.setSelectionRange(offered.from, offered.to)
    type(field, item.insert)
    const at = offered.from + item.insert.length + item.caret
    field.setSelectionRange(at, at)
    setCaret(at)
    setOffered(null)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    const field = event.currentTarget
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      event.preventDefault()
      onSave()
    } else if (event.ctrlKey && event.key === ' ') {
      event.preventDefault()
      offer(field.value, field.selectionStart)
    } else if (offered && plain && moves[event.key] !== undefined) {
      event.preventDefault()
      const count = offered.items.length
      setOffered({ ...offered, chosen: (offered.chosen + (moves[event.key] ?? 0) + count) % count })
    } else if (offered && plain && !event.shiftKey && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      const item = offered.items[offered.chosen]
      if (item) take(item)
    } else if (offered && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setOffered(null)
    } else if (plain && event.key === 'Enter' && !event.nativeEvent.isComposing && !readOnly) {
      event.preventDefault()
      type(field, `\n${indentOf(field.value, field.selectionStart)}`)
    }
  }

  const column = text.slice(startOf(text, here), caret)
  return (
    <div className="code mono" ref={scroller}>
      <ol className="code-gutter" aria-hidden="true">
        {lines.map((_, i) => (
          <li key={i} className={wrong.has(i + 1) ? 'bad' : i + 1 === here ? 'cur' : undefined}>
            {i + 1}
          </li>
        ))}
      </ol>
      <div className="code-body">
        <div className="code-drawn" aria-hidden="true">
          {lines.map((pieces, i) => (
            <Line key={i} pieces={pieces} mark={wrong.has(i + 1) ? 'bad' : i + 1 === here ? 'cur' : ''} />
          ))}
        </div>
        <textarea
          ref={area}
          aria-label={t.text}
          aria-invalid={problems.length > 0 || undefined}
          aria-describedby="config-problems"
          aria-keyshortcuts="Control+S Control+Space"
          aria-autocomplete="list"
          aria-controls={offered ? 'config-completion' : undefined}
          aria-activedescendant={offered ? `config-completion-${offered.chosen}` : undefined}
          value={text}
          readOnly={readOnly}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          onChange={(event) => {
            const { value, selectionStart } = event.currentTarget
            const letter = value.length === text.length + 1 && /[\w"$.-]/.test(value[selectionStart - 1] ?? '')
            onChange(value)
            setCaret(selectionStart)
            if (letter || (offered && value.length < text.length)) offer(value, selectionStart)
            else setOffered(null)
          }}
          onSelect={(event) => {
            const { selectionStart } = event.currentTarget
            if (selectionStart !== caret) {
              setCaret(selectionStart)
              if (offered && (selectionStart < offered.from || selectionStart > offered.to + 1)) setOffered(null)
            }
          }}
          onBlur={() => setOffered(null)}
          onKeyDown={onKeyDown}
        />
        {offered && (
          <CompletionList
            items={offered.items}
            chosen={offered.chosen}
            take={take}
            style={{ top: here * LINE + 10, left: `calc(${widthOf(column)}ch)` }}
          />
        )}
      </div>
    </div>
  )
}

const Line = memo(
  function Line({ pieces, mark }: { pieces: readonly Piece[]; mark: string }) {
    return (
      <div className={`code-line ${mark}`}>
        {pieces.map(({ kind, text }, i) => (
          <span key={i} className={`token-${kind}`}>
            {text}
          </span>
        ))}
      </div>
    )
  },
  (a, b) => a.mark === b.mark && same(a.pieces, b.pieces),
)

const same = (a: readonly Piece[], b: readonly Piece[]): boolean =>
  a.length === b.length && a.every((piece, i) => piece.text === b[i]?.text && piece.kind === b[i]?.kind)

const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** As if typed: the browser's own undo knows of it. Where it can't, the text is there all the same. */
function type(field: HTMLTextAreaElement, text: string): void {
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps the undo history of a text area
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

function startOf(text: string, line: number): number {
  let start = 0
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return start
    start = end + 1
  }
  return start
}

const endOf = (text: string, start: number): number => {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/** Of the line the caret is in, and a step more behind a bracket that opens. */
function indentOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const [own = ''] = /^[ \t]*/.exec(line) ?? []
  return /[{[]\s*$/.test(line) ? `${own}  ` : own
}

/** Chinese letters are two columns wide. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/[\u1100-\uffdc]/.test(letter) ? 2 : 1), 0)
