import { calledTool } from '../../servertools/testing/tools.ts'
import type { CalledTool } from '../../servertools/types.ts'

/** The tool `look`, which answers when the test says so. */
export function slowTool(more: Partial<CalledTool> = {}) {
  let answer: (text: string) => void = () => undefined
  let stopped = false
  const tool = calledTool(
    'look',
    (_call, { signal }) =>
      new Promise((done) => {
        answer = (text) => done({ kind: 'result', text })
        signal.addEventListener('abort', () => {
          stopped = true
        })
      }),
    { timeoutMs: () => 600_000, did: 'looked', ...more },
  )
  return {
    tool,
    answer: (text = 'seen') => answer(text),
    get stopped() {
      return stopped
    },
  }
}

/** The tool `look`, which answers at once. */
export const lookTool = (more: Partial<CalledTool> = {}): CalledTool =>
  calledTool('look', async ({ id }) => ({ kind: 'result', text: `seen ${id}` }), { did: 'looked', ...more })
