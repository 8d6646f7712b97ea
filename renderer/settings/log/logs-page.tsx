import { useEffect, useMemo, useRef, useState } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { canShellOpen, shellOpen } from '../../control/shell.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useVirtual } from '../../parts/use-virtual.ts'
import { PageHead } from '../page-head.tsx'
import { fits, type LogLevel, logLevels, type LogLine } from './read-line.ts'
import { Shape } from '../../icons/shape.tsx'
import { type LogTail, MOST_LINES, noLog, withPage } from './log-tail.ts'

/** The end of the engine's log, newest first. It holds no secrets. */
export function LogsPage() {
  const { actions } = useApp()
  const { w, f } = useWords()
  const [follow, setFollow] = useState(true)
  const [least, setLeast] = useState<LogLevel>('info')
  const [words, setWords] = useState('')
  const { tail, unread } = useLog(follow)
  const scroll = useRef<HTMLDivElement>(null)
  const t = w.logs
  const shown = useMemo(
    () => tail.lines.filter((line) => fits(line, least, words)).toReversed(),
    [tail.lines, least, words],
  )
  const rows = useVirtual({
    count: shown.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 22,
    getItemKey: (i) => shown[i]?.id ?? i,
    overscan: 20,
  })
  const copyShown = () => {
    const inOrder = shown.map(({ raw }) => raw).toReversed()
    void actions.copy(inOrder.join('\n'), t.copied(inOrder.length))
  }
  return (
    <main className="pane" data-pane-stop>
      <PageHead page="logs" path={tail.path}>
        {canShellOpen() && (
          <Button tone="quiet" icon="folder" onClick={() => shellOpen('logs')}>
            {w.config.openFolder}
          </Button>
        )}
        <Button tone="quiet" icon="copy" disabled={shown.length === 0} onClick={copyShown}>
          {t.copyShown}
        </Button>
      </PageHead>
      <div className="log-bar">
        <Segmented
          label={t.level}
          value={least}
          onChange={setLeast}
          options={logLevels.map((level) => ({ value: level, text: t.levels[level] }))}
        />
        <TextField
          label={t.filter}
          hideLabel
          placeholder={t.filter}
          boxClass="log-words"
          before={<Icon name="search" />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <span className="meta num" role="status">
          {f.list([t.found(shown.length), ...(tail.gap ? [t.gap] : [])])}
        </span>
        <span className="grow" />
        <Switch checked={follow} onChange={setFollow}>
          {t.follow}
        </Switch>
      </div>
      {unread !== null && (
        <div className="pad">
          <Trouble shape="failed" title={t.unread} text={unread} />
        </div>
      )}
      {shown.length === 0 && tail.cursor !== null && <p className="pad t2">{t.nothing}</p>}
      {/* reached by keyboard, since it scrolls */}
      <div className="scroll log mono" ref={scroll} tabIndex={0} role="region" aria-label={t.label}>
        <ol style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const line = shown[index]
            return line && <LogRow key={key} line={line} index={index} measure={rows.measureElement} top={start} />
          })}
        </ol>
      </div>
    </main>
  )
}

const shapes = { warn: 'needs', error: 'failed' } as const

interface LogRowProps {
  line: LogLine
  index: number
  top: number
  measure: (element: HTMLElement | null) => void
}

function LogRow({ line, index, top, measure }: LogRowProps) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const { level, at, message, facts, raw } = line
  const t = w.logs
  return (
    <li ref={measure} data-index={index} className={level} style={{ transform: `translateY(${top}px)` }}>
      <time title={at === null ? undefined : f.instant(at)}>{at === null ? '' : f.time(at)}</time>
      <span className="log-level">
        {(level === 'warn' || level === 'error') && <Shape shape={shapes[level]} />}
        {t.level1[level]}
      </span>
      <span className="log-text wrap">
        {message} <span className="log-facts">{facts}</span>
      </span>
      <IconButton icon="copy" small name={t.copyLine} onClick={() => void actions.copy(raw, w.say.copied)} />
    </li>
  )
}

/** how often the end is looked at while it is followed */
const POLL_MS = 1_000

/** The end of the log; while `follow`, the lines added to it. */
function useLog(follow: boolean): { tail: LogTail; unread: string | null } {
  const { actions } = useApp()
  const live = useLive()
  const [tail, setTail] = useState(noLog)
  const [unread, setUnread] = useState<string | null>(null)
  const from = useRef<string | null>(null)
  useEffect(() => {
    if (!live) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | null = null
    const poll = async () => {
      const outcome = await actions.ask((c) => c.logPage.query({ cursor: from.current, lines: MOST_LINES }))
      if (over) return
      setUnread(outcome.ok ? null : outcome.problem.message)
      if (outcome.ok) {
        from.current = outcome.value.cursor
        setTail((now) => withPage(now, outcome.value))
      }
      if (follow) timer = setTimeout(() => void poll(), POLL_MS)
    }
    if (follow || from.current === null) void poll()
    return () => {
      over = true
      if (timer !== null) clearTimeout(timer)
    }
  }, [actions, follow, live])
  return { tail, unread }
}
