import { afterEach, describe, expect, it } from 'vitest'
import { hashOf } from '../../base/network/local-keys.ts'
import { openGateway, type OpenGateway } from '../testing/open-gateway.ts'

let gateway: OpenGateway
afterEach(() => gateway?.dispose())

const hashed = { alias: 'prometheus', sha256: hashOf('hashed-key-22'), ends: '22' }
const page = { keys: ['metrics-key-1', hashed], text: async () => 'onward_paused 0\n' }
const ask = async (path: string, authorization: string | null, method = 'GET') => {
  const answer = await fetch(gateway.base + path, { method, headers: authorization === null ? {} : { authorization } })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

describe('/metrics', () => {
  it.each(['Bearer metrics-key-1', 'bearer hashed-key-22'])('is read with a key of its own: %s', async (key) => {
    gateway = await openGateway({ metrics: () => page, server: { keys: ['client-key-1'] } })
    expect(await ask('/metrics', key)).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text: 'onward_paused 0\n',
    })
    expect(await ask('/metrics', key, 'HEAD')).toMatchObject({ status: 200, text: '' })
  })

  it.each([null, 'Bearer wrong', 'Basic metrics-key-1', 'Bearer client-key-1', 'Bearer terminal-key-1', 'Bearer '])(
    'is closed to %s',
    async (key) => {
      gateway = await openGateway({ metrics: () => page, server: { keys: ['client-key-1'] } })
      const { status, text } = await ask('/metrics', key)
      expect(status).toBe(401)
      expect(text).toContain('metrics-key-needed')
      expect(text).not.toContain('onward_paused')
    },
  )

  it('has a key that opens nothing else', async () => {
    gateway = await openGateway({ metrics: () => page, server: { keys: ['client-key-1'] } })
    expect(await ask('/v1/models', 'Bearer metrics-key-1')).toMatchObject({ status: 401 })
    expect(await ask('/t/metrics-key-1/v1/models', null)).toMatchObject({ status: 401 })
  })

  it('is not there while it is off', async () => {
    gateway = await openGateway({ metrics: () => null })
    const { status, text } = await ask('/metrics', 'Bearer metrics-key-1')
    expect(status).toBe(404)
    expect(text).toContain('unknown-path')
  })

  it('is read only', async () => {
    gateway = await openGateway({ metrics: () => page })
    expect(await ask('/metrics', 'Bearer metrics-key-1', 'POST')).toMatchObject({ status: 405 })
  })

  it('says that something went wrong where it can’t be made', async () => {
    const text = () => Promise.reject(new Error('secret-inside'))
    gateway = await openGateway({ metrics: () => ({ ...page, text }) })
    const answer = await ask('/metrics', 'Bearer metrics-key-1')
    expect(answer).toMatchObject({ status: 500 })
    expect(answer.text).not.toContain('secret-inside')
  })
})
