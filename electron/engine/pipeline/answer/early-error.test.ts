import { describe, expect, it } from 'vitest'
import { earlyError } from './early-error.ts'

describe('an error as the first event of a stream', () => {
  it.each<[string, number | null]>([
    ['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n', 529],
    ['event: error\r\ndata: {"type":"error","error":{"type":"api_error","message":"x"}}\r\n\r\n', 500],
    ['data: {"error":{"code":502,"message":"Upstream failed"}}\n\n', 502],
    ['data: {"error": {"code": 503, "status": "UNAVAILABLE"}}\n\n', 503],
    ['data: {"error":{"code":"rate_limit_exceeded","message":"slow down"}}\n\n', 429],
    ['event: error\ndata: {"type":"error","code":"server_error","message":"x"}\n\n', 500],
    ['event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"max_tokens"}}\n\n', null],
    ['data: {"object":"error","message":"This model\'s maximum context length is 9 tokens.","code":400}\n\n', 400],
    ['data: {"error":{"code":400,"message":"internal words"}}\n\n', null],
    ['event: message_start\ndata: {"type":"message_start","message":{"content":[]}}\n\n', null],
    ['data: {"choices":[{"delta":{"content":"an error: overloaded"}}]}\n\n', null],
    [': ping\n\nevent: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n', null],
    ['', null],
  ])('%j stands for %s', (text, status) => expect(earlyError(Buffer.from(text))).toBe(status))
})
