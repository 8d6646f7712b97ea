import { expect, it } from 'vitest'
import { codecOf } from '../../protocol/index.ts'
import { refuseMarkers } from './read-markers.ts'

const request = (content: unknown): void =>
  refuseMarkers(codecOf('messages').read(Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] }))))
const markers = (count: number): string => '<**clear**> '.repeat(count)

it('a request with more markers than anybody writes is refused, whichever messages have them', () => {
  expect(() => request(markers(50_000))).not.toThrow()
  expect(() => request(markers(50_001))).toThrow(expect.objectContaining({ code: 'too-many-markers', status: 400 }))
  const texts = [markers(30_000), markers(30_000)].map((text) => ({ type: 'text', text }))
  expect(() => request(texts)).toThrow(/50000 markers/)
})

it('what a tool read counts for nothing', () => {
  expect(() => request([{ type: 'tool_result', tool_use_id: 't', content: markers(150_000) }])).not.toThrow()
})
