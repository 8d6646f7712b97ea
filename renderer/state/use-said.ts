import { useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import type { Said } from '../../shared/said.ts'

/** after the last letter: who types on does not ask for each of them */
const settleMs = 250
/** one letter is everywhere; two are a word in Chinese */
const leastLetters = 2

/** @returns where these words were said, newest first, as the engine keeps it; nothing while they are being typed */
export function useSaid(query: string, session: string | null, limit: number): readonly Said[] {
  const { actions } = useApp()
  const [found, setFound] = useState<{ words: string; said: readonly Said[] }>({ words: '', said: [] })
  const words = query.trim()
  useEffect(() => {
    if (words.length < leastLetters) return
    let over = false
    const timer = setTimeout(() => {
      void actions
        .ask((client) => client.findSaid.query({ words, session, limit }))
        .then((outcome) => !over && outcome.ok && setFound({ words, said: outcome.value }))
    }, settleMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [actions, words, session, limit])
  return found.words === words ? found.said : []
}
