import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../base/errors.ts'
import { createRedactor, hidden } from '../../secrets/redact.ts'
import { redactErrors } from './attempt.ts'

const key = 'sk-live-0123456789'

function scene() {
  const told: { status: number; headers: Record<string, string | string[]>; body: Buffer; ends: number } = {
    status: 0,
    headers: {},
    body: Buffer.alloc(0),
    ends: 0,
  }
  const handler = redactErrors(
    {
      onHead(status, headers) {
        told.status = status
        told.headers = headers
      },
      onData(chunk) {
        told.body = Buffer.concat([told.body, chunk])
        return true
      },
      onEnd: () => told.ends++,
      onError: () => told.ends++,
    },
    () => createRedactor([key]),
  )
  return { told, handler }
}

describe('an error of an upstream', () => {
  it('loses the secret from its head and from its body, wherever that was cut', () => {
    const body = Buffer.from(`{"error":{"message":"Incorrect API key provided: ${key}."}}`)
    for (let at = 1; at < body.length; at++) {
      const { told, handler } = scene()
      handler.onHead(401, { 'x-echo': `Bearer ${key}`, 'content-length': String(body.length), 'retry-after': '3' })
      handler.onData(body.subarray(0, at))
      handler.onData(body.subarray(at))
      handler.onEnd()
      expect(told.body.toString()).toBe(`{"error":{"message":"Incorrect API key provided: ${hidden}."}}`)
      expect(told.headers).toEqual({ 'x-echo': `Bearer ${hidden}`, 'retry-after': '3' })
      expect([told.status, told.ends]).toEqual([401, 1])
    }
  })

  it('in an encoding that nobody knows is not handed on', () => {
    const { told, handler } = scene()
    handler.onHead(500, { 'content-encoding': 'zz' })
    handler.onData(Buffer.from(key))
    handler.onEnd()
    expect(told.headers).toEqual({})
    expect(told.body.toString()).toEqual(expect.stringContaining('an encoding that Onward can’t read'))
  })

  it('that breaks off has said what it said', () => {
    const { told, handler } = scene()
    handler.onHead(500, {})
    handler.onData(Buffer.from(`x ${key} y`))
    expect(told.body.toString()).not.toContain('sk-')
    handler.onError(new OnwardError('upstream-broke-off', 'gone'))
    expect(told.body.toString()).toBe(`x ${hidden} y`)
  })

  it('is the only thing that is looked at: an answer goes by byte for byte', () => {
    const { told, handler } = scene()
    const chunk = Buffer.from(`the key is ${key}`)
    const headers = { 'x-echo': key, 'content-length': '5' }
    handler.onHead(200, headers)
    handler.onData(chunk)
    handler.onEnd()
    expect(told.headers).toBe(headers)
    expect(told.body.equals(chunk)).toBe(true)
  })
})
