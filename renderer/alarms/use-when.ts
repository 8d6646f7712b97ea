import { useEffect, useRef, useState } from 'react'
import { useApp, useEngine, useLive } from '../app-context.ts'
import { whenReader, type WhenRead, type WhenReader } from './when-reader.ts'

export interface When {
  text: string
  /** as it was before any edit: then it means what it meant */
  untouched: boolean
  /** the last reading; of an older text while `reading` */
  read: WhenRead | null
  reading: boolean
  type(text: string): void
}

/** A time as a person writes it, read live by the engine. */
export function useWhen(begins: string): When {
  const app = useApp()
  // One that is away and whose alarms wait at the hub reads nothing: this one does, in the same zone of the page.
  const kept = useEngine(({ link }) => link.kind === 'stopped' && link.kept === true)
  const { actions } = kept ? app.here : app
  // The first text stays as it was: “14:45” must not become another text at midnight.
  const [initial] = useState(begins)
  const [text, setText] = useState(initial)
  const latest = useRef(initial)
  const [read, setRead] = useState<WhenRead | null>(null)
  const reader = useRef<WhenReader | null>(null)
  useEffect(() => {
    const made = whenReader({
      ask: actions.readTime,
      after(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      onRead: setRead,
    })
    reader.current = made
    // Another engine may read it otherwise.
    if (latest.current !== initial) made.read(latest.current)
    return () => made.dispose()
  }, [actions, initial])
  const untouched = text === initial
  const live = useLive()
  const wasLive = useRef(live)
  useEffect(() => {
    const back = live && !wasLive.current
    wasLive.current = live
    // A text that could not be read while the engine was away is read when it is back.
    if (back && read !== null && !read.result.ok && read.result.code === 'failed') reader.current?.read(read.text)
  }, [live, read])
  return {
    text,
    untouched,
    read: untouched ? null : read,
    reading: !untouched && read?.text !== text,
    type: (next) => {
      setText(next)
      latest.current = next
      reader.current?.read(next)
    },
  }
}
