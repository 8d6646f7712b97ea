import { describe, expect, it } from 'vitest'
import { readServer } from './udp.ts'

describe('a server', () => {
  it.each<[string, string, number]>([
    ['time.example', 'time.example', 123],
    [' time.example:1123 ', 'time.example', 1123],
    ['192.0.2.7', '192.0.2.7', 123],
    ['192.0.2.7:9', '192.0.2.7', 9],
    ['2001:db8::1', '2001:db8::1', 123],
    ['[2001:db8::1]', '2001:db8::1', 123],
    ['[::1]:1123', '::1', 1123],
  ])('%s', (text, host, port) => expect(readServer(text)).toEqual({ host, port }))
  it.each([
    '',
    ' ',
    ':123',
    'time.example:',
    'time.example:0',
    'time.example:65536',
    'time.example:x',
    '[time.example]:1',
    '[::1',
    'a b',
    'ntp://time.example',
    'me@time.example',
    '::1:x',
  ])('is not "%s"', (text) => expect(readServer(text)).toBeNull())
})
