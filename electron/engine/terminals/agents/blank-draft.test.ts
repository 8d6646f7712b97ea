import { expect, it } from 'vitest'
import { agents } from './index.ts'
import { loadScreen } from './testing/load-screen.ts'
import { recognise } from './recognise.ts'

// Claude Code draws nothing in an empty composer: blanks that a person typed show in the cursor alone.
it('takes a draft of blanks for a draft', async () => {
  const view = await loadScreen('claude-draft')
  const place = agents.claude.screen?.findComposer(view)
  if (!place) throw new Error('no composer on the recorded screen')
  const rows = view.rows.map((row, y) =>
    y < place.top || y > place.bottom ? row : row.map((cell, x) => (x < place.left ? cell : { ...cell, char: ' ' })),
  )
  const at = (x: number) => recognise({ ...view, rows, cursor: { x, y: place.top } }, agents.claude)
  expect(at(place.left)).toEqual({ kind: 'idle', composer: { kind: 'empty' } })
  expect(at(place.left + 3)).toEqual({ kind: 'idle', composer: { kind: 'text', text: ' ' } })
})
