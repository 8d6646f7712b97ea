import { describe, expect, it } from 'vitest'
import { readAnswer } from './answer.ts'

const now = Date.UTC(2026, 10, 23, 12)
const read = (status: number, body = '', headers: Record<string, string> = {}) =>
  readAnswer({ status, headers, body }, now, (text) => text.replaceAll('secret', '[hidden]'))

describe('an answer', () => {
  it.each([200, 201, 204])('%i is taken', (status) => {
    expect(read(status)).toEqual({ kind: 'taken' })
  })

  it.each([
    // Slack
    [404, 'no_service', false, 'no_service'],
    [403, 'invalid_token', false, 'invalid_token'],
    // ntfy
    [
      429,
      '{"code":42901,"http":429,"error":"limit reached: too many requests"}',
      true,
      'limit reached: too many requests',
    ],
    // Discord
    [404, '{"message":"Unknown Webhook","code":10015}', false, 'Unknown Webhook'],
    // a proxy's page
    [502, '<html><body>Bad gateway</body></html>', true, null],
    [301, '', false, null],
    [500, 'no such path: /secret\nat line 1', true, 'no such path: /[hidden]'],
  ])('%i says what is wrong in its own words, and whether to come again', (status, body, again, said) => {
    expect(read(status, body)).toMatchObject({ kind: 'refused', again, why: { code: 'answered', status, said } })
  })

  it.each([
    ['seconds', { 'retry-after': '30' }, '', 30_000],
    ['a date', { 'retry-after': 'Mon, 23 Nov 2026 12:01:00 GMT' }, '', 60_000],
    [
      'fractions in the body',
      { 'retry-after': '1' },
      '{"message":"You are being rate limited.","retry_after":1.337}',
      1_337,
    ],
    ['more than is sensible', { 'retry-after': '86400' }, '', 600_000],
    ['nothing', {}, '', null],
    ['nonsense', { 'retry-after': 'soon' }, '', null],
  ])('names when to come again: %s', (_name, headers, body, afterMs) => {
    expect(read(429, body, headers)).toMatchObject({ afterMs })
  })
})
