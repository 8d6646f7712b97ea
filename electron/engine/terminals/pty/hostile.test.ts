import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileText, longText, worstTexts } from '../testing/hostile-texts.ts'
import { readerInPty, type ReaderTerminal } from '../testing/reader-pty.ts'
import { typeWhenFree } from '../testing/type-when-free.ts'
import { makeSafe } from '../safe-text.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

let reader: ReaderTerminal
let entries = 0
beforeAll(async () => {
  reader = await readerInPty('codex', { typing: { gapMs: { short: 30, long: 60 }, pollMs: 15 } })
})
afterAll(async () => {
  await reader.end()
})

/** Returns what a real program in a real PTY read for one typed text. */
async function typed(text: string): Promise<{ bytes: string; kind: string }> {
  await waitFor('an idle terminal', async () => (await reader.terminal.read()).kind === 'ready')
  const before = reader.read()?.length ?? 0
  const never = new AbortController().signal
  const { kind } = await typeWhenFree(() =>
    reader.terminal.type({ entryId: `e${++entries}`, text, client: 'codex' }, { requestArrived: never, stop: never }),
  )
  return { bytes: reader.read()?.subarray(before).toString() ?? '', kind }
}

const onePasteAndEnter = (safe: string) => `\u001b[200~${safe.replaceAll('\n', '\r')}\u001b[201~\r`

it.each([...worstTexts, longText].map((text) => [text.slice(0, 40), text]))(
  'a program reads the safe text and Enter, nothing else: %j',
  async (_name, text) => {
    expect(await typed(text)).toEqual({ bytes: onePasteAndEnter(makeSafe(text)), kind: 'submitted' })
  },
)

it('a program reads the safe text and Enter, nothing else, whatever the text', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const safe = makeSafe(text)
      expect(await typed(text)).toEqual(
        safe === '' ? { bytes: '', kind: 'failed' } : { bytes: onePasteAndEnter(safe), kind: 'submitted' },
      )
    }),
    runs(30, { endOnFailure: true }),
  )
})
