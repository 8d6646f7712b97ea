import { describe, expect, it } from 'vitest'
import { sendsLogin } from './headers.ts'

describe('what a client sends of its own', () => {
  it.each<[Record<string, string>, boolean]>([
    [{ authorization: 'Bearer sk-ant-oat01-abc' }, true],
    [{ authorization: 'Bearer eyJhbGciOi.abc.def' }, true],
    [{ authorization: 'Bearer sk-proj-abc' }, false],
    [{ 'x-api-key': 'sk-ant-api03-abc' }, false],
    [{ 'x-api-key': 'sk-ant-api03-abc', authorization: 'Bearer sk-ant-oat01-abc' }, false],
    [{ authorization: 'Bearer local' }, false],
    [{}, false],
  ])('%j is a login: %s', (headers, login) => {
    expect(sendsLogin(headers, (value) => value === 'local')).toBe(login)
  })
})
