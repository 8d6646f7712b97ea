import { useEffect, useRef, useState } from 'react'
import { useApp, useLive } from '../../app-context.ts'
import { MOST_LINES, noLog, withPage, type LogTail } from './log-tail.ts'

/** how often the end is looked at while it is followed */
const POLL_MS = 1_000

/** The end of the log; while `follow`, the lines added to it. */
export function useLog(follow: boolean): { tail: LogTail; unread: string | null } {
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
