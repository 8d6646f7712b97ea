import { useEffect } from 'react'
import { inOrder, type Timeline } from '../../state/timelines.ts'
import { useSaid } from '../../state/use-said.ts'

/** While nothing that is loaded says the words of a search, loads older pages down to the newest event that does. */
export function useLookBack(
  session: string,
  query: string,
  isFound: boolean,
  timeline: Timeline | undefined,
  loadOlder: () => void,
): void {
  const [newest] = useSaid(isFound ? '' : query, session, 1)
  const first = timeline?.events[0]
  const isOlder =
    newest !== undefined && first !== undefined && timeline?.phase === 'ready' && inOrder(newest, first) < 0
  useEffect(() => {
    if (isOlder) loadOlder()
    // once for each page: the first event that is loaded tells them apart
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOlder, first?.id])
}
