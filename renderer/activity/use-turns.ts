import { useCallback, useEffect, useState } from 'react'
import { useApp, useEngine } from '../app-context.ts'
import type { TurnRecord } from '../../shared/state.ts'

const mostTurns = 1000
/** Turns that end close together are asked for once. */
const settleMs = 400

/** The records of turns: asked for when the view opens and after turns that end, never on a clock. */
export function useTurns(): { turns: readonly TurnRecord[] | null; problem: string | null; reload: () => void } {
  const { actions } = useApp()
  const [turns, setTurns] = useState<readonly TurnRecord[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const live = useEngine((s) => s.link.kind === 'live')
  const ended = useEngine((s) => s.turnsEnded + s.snapshots * 1_000_000)
  const load = useCallback(async () => {
    const outcome = await actions.ask((client) => client.turns.query(mostTurns))
    if (outcome.ok) setTurns(outcome.value.toSorted((a, b) => b.at - a.at))
    setProblem(outcome.ok ? null : outcome.problem.message)
  }, [actions])
  const known = turns !== null
  useEffect(() => {
    if (!live) return
    const timer = setTimeout(() => void load(), known ? settleMs : 0)
    return () => clearTimeout(timer)
  }, [live, ended, load, known])
  return { turns, problem, reload: () => void load() }
}

export function matchesTurn(turn: TurnRecord, name: string | null, end: string, filter: string): boolean {
  const text = [name, turn.model, turn.route?.provider, turn.route?.model, end, turn.client, turn.kind, turn.error?.message].filter(Boolean).join('\n').toLowerCase()
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word))
}
