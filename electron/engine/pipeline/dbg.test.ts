import { it } from 'vitest'
import { requestOf, userItem } from './testing/client-view.ts'
import { clockScene, seconds, clockCall } from './testing/clock-scene.ts'
import { emptyReplyContinue } from '../servertools/empty-reply/empty-reply-continue.ts'
it('x', async () => {
  const entry = 'responses'
  const s = await clockScene(entry, { tools: [emptyReplyContinue] })
  const { over, client } = await s.ask(requestOf(entry, [userItem(entry, 'Hi')]))
  ;(await s.upstream.round(1)).answer({ })
  ;(await s.upstream.round(2)).answer({ thinking: 'T', toolCalls: [clockCall('a', {action: 'list'})] })
  const third = await s.upstream.round(3)
  await s.world.clock.advance(20*seconds)
  third.answer({ text: 'a.' })
  await over
  console.log(client.text)
})
